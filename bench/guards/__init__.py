"""What repeats exactly: counts a request, with limits that are checked."""
