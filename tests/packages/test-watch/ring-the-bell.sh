# There is no bell.
exit 1
