"""What must hold on every system: methods against each other, on generated machines that are hard on purpose."""
