"""`python -m sunglade`: the same as the command `sunglade`."""

import sys

from sunglade.cli import main

if __name__ == "__main__":
    sys.exit(main())
