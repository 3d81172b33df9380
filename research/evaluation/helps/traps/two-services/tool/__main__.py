import sys

from control import main

sys.exit(main(sys.argv[1:]))
