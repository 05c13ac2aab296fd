"""The parts a profile chooses from; vendors are named here and nowhere else."""
