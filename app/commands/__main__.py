"""``python -m app.commands``: the command ``armsweep`` where nothing is installed."""

from app.commands.command import armsweep

if __name__ == "__main__":  # or each process of a study would start the command again
    armsweep(prog_name="armsweep")
