"""Every code that an error can have, with what happened and what to do: docs/errors.md is generated from here.

No command imports this. An error's own message and hint name the file, the setting or the id that it is about; what stands
here is true of all errors of a code.
"""
