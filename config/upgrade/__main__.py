"""Entry of `bin/upgrade`. Run as a file, from any folder, so that relative paths mean what they say."""

import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parents[2])

if __name__ == "__main__":
    from config.upgrade.run import main

    sys.exit(main(sys.argv[1:]))
