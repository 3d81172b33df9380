import sys

from steps import main

sys.exit(main(sys.argv[1:]))
