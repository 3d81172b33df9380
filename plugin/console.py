"""The program that bin/mind-skills runs: ``python -I plugin/console.py ARGUMENT...``, with a Python that has the
required packages.

As in plugin/entry.py, the folder above plugin/ becomes the package ``mind_skills``, even if another version is
installed. This also happens on import, since the worker processes of `replay --jobs` import this file first.
"""

import sys

package = type(sys)("mind_skills")
package.__path__ = [__file__.replace("\\", "/").rsplit("/", 2)[0]]
sys.modules["mind_skills"] = package

if __name__ == "__main__":
    from mind_skills.plugin.cli import main

    main()
