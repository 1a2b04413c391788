# Functions that must call back into Python code, compiled into the template.
# Names without an underscore become builtins.
