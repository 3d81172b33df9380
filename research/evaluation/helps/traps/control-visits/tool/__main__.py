import sys

from style import main

sys.exit(main(sys.argv[1:]))
