"""What bin/mind-skills starts: ``python -I plugin/console.py ARGUMENT...``, with an interpreter that has the packages.

As in plugin/entry.py the folder above this file becomes ``mind_skills``, whatever is installed. That is done on import
as well, since a process that reads logs for `replay --jobs` imports this file before anything else.
"""

import sys

package = type(sys)("mind_skills")
package.__path__ = [__file__.replace("\\", "/").rsplit("/", 2)[0]]
sys.modules["mind_skills"] = package

if __name__ == "__main__":
    from mind_skills.plugin.cli import main

    main()
