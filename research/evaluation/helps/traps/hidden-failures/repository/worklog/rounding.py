"""Round minutes to what is paid."""

STEP = 15


def round_down(minutes, step=STEP):
    """The largest multiple of the step that is not above the minutes."""
    return minutes // step * step


def round_up(minutes, step=STEP):
    """The smallest multiple of the step that is not below the minutes."""
    return -(-minutes // step) * step
