import sys

from renewing import main

sys.exit(main(sys.argv[1:]))
