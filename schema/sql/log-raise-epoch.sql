update log_head set epoch = epoch + 1 returning epoch
