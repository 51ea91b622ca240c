"""Tree search over the kernel, compiled."""
