/*
 * The reference of `tools/bench verify` for receipts: what a C program does that calls libcrypto and
 * nothing else. It reads each receipt, checks its chain and its signature, and lets go of it.
 *
 * usage: cms_verify SECONDS ROOT RECEIPT…   (all DER); prints receipts a second of processor time
 */
#include <openssl/cms.h>
#include <openssl/x509_vfy.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { RECEIPTS_MAX = 256, BYTES_MAX = 1 << 20 };

struct receipt {
    unsigned char *bytes;
    long count;
};

static struct receipt read_file(const char *path)
{
    struct receipt receipt = {malloc(BYTES_MAX), 0};
    FILE *file = fopen(path, "rb");
    if (!file || !receipt.bytes) exit(1);
    receipt.count = (long)fread(receipt.bytes, 1, BYTES_MAX, file);
    fclose(file);
    return receipt;
}

static double seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static int verify(const struct receipt *receipt, X509_STORE *store)
{
    const unsigned char *position = receipt->bytes;
    CMS_ContentInfo *message = d2i_CMS_ContentInfo(NULL, &position, receipt->count);
    int good = message && CMS_verify(message, NULL, store, NULL, NULL, CMS_BINARY) == 1;
    CMS_ContentInfo_free(message);
    return good;
}

int main(int count, char **arguments)
{
    struct receipt receipts[RECEIPTS_MAX];
    int receipt_count = count - 3;
    if (receipt_count < 1 || receipt_count > RECEIPTS_MAX) return 2;
    for (int index = 0; index < receipt_count; index++)
        receipts[index] = read_file(arguments[index + 3]);

    struct receipt root = read_file(arguments[2]);
    const unsigned char *position = root.bytes;
    X509_STORE *store = X509_STORE_new();
    if (!X509_STORE_add_cert(store, d2i_X509(NULL, &position, root.count))) return 1;
    X509_VERIFY_PARAM_set_purpose(X509_STORE_get0_param(store), X509_PURPOSE_ANY);

    double limit = atof(arguments[1]), start = seconds(), elapsed = 0;
    long verified = 0;
    while (elapsed < limit) {
        for (int index = 0; index < receipt_count; index++)
            if (!verify(&receipts[index], store)) return 1;
        verified += receipt_count;
        elapsed = seconds() - start;
    }
    printf("%.0f\n", (double)verified / elapsed);
    return 0;
}
