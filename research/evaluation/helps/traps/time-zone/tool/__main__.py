import sys

from comparing import main

sys.exit(main(sys.argv[1:]))
