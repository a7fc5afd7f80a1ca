"""Small tables, so that answers can be checked by eye."""

from small_tables import mayors, medals

__all__ = ["mayors", "medals"]
