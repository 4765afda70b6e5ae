#pragma once
#include <microhttpd.h>
// The loop that drives the library waits with these; Swift's Glibc module leaves them out.
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

// Swift cannot call variadic functions; these are the calls that we need of them, each with its
// arguments fixed.

static inline struct MHD_Daemon *quittance_mhd_start(
    unsigned int flags, MHD_AccessHandlerCallback handler, void *context,
    const struct MHD_OptionItem *options) {
    return MHD_start_daemon(flags, 0, NULL, NULL, handler, context, MHD_OPTION_ARRAY, options,
                            MHD_OPTION_END);
}

// -1 if there is none.
static inline int quittance_mhd_epoll(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
    return info ? info->epoll_fd : -1;
}

// -1 if there is none.
static inline int quittance_mhd_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

// What MHD_OPTION_NOTIFY_CONNECTION's callback left with the connection, or NULL.
static inline void *quittance_mhd_connection_context(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

// A function as the value of an option.
static inline intptr_t quittance_mhd_option(MHD_NotifyConnectionCallback callback) {
    return (intptr_t)callback;
}

// A new stream socket, which neither blocks nor reaches a child process; -1 and errno.
static inline int quittance_stream_socket(int family) {
    return socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

// accept4 is declared for _GNU_SOURCE only, which Swift's importer does not define.
extern int accept4(int listener, struct sockaddr *name, socklen_t *length, int flags);

// The next waiting connection, which neither blocks nor reaches a child process; -1 and errno.
static inline int quittance_accept(int listener) {
    return accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
}
