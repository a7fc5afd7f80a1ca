"""Entry point of ``python -m hopline``."""

from hopline.cli import main

if __name__ == "__main__":
    main()
