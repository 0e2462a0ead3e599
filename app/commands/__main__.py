"""``python -m app.commands``: the command ``armsweep`` without installation."""

from app.commands.command import armsweep

if __name__ == "__main__":  # otherwise each process of a study would run the command again
    armsweep(prog_name="armsweep")
