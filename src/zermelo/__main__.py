"""`python -m zermelo`: the command line."""

import sys

from zermelo.interfaces.cli import main

sys.exit(main())
