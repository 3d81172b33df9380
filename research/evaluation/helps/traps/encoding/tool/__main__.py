import sys

from proofing import main

sys.exit(main())
