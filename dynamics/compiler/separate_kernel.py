from dynamics.compiler.compiled import kernel as separate_kernel  # noqa: F401
