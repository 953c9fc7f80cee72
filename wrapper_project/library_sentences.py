"""Sentences that REST framework does not translate into Swedish, or only into stiff Swedish.

Nothing imports this list: `make messages` reads it, and our catalogues win over a library's.
"""

from django.utils.translation import gettext_noop as _

SENTENCES = (
    _("Not a valid string."),
    _("Must be a valid boolean."),
    _("A valid integer is required."),
    _("A valid number is required."),
    _("This field may not be blank."),
    _("This field may not be null."),
    _("Ensure this field has no more than {max_length} characters."),
    _("Ensure this field has at least {min_length} characters."),
    _("Ensure this field has no more than {max_length} elements."),
    _("Ensure this field has at least {min_length} elements."),
    _("Ensure this value is less than or equal to {max_value}."),
    _("Ensure this value is greater than or equal to {min_value}."),
    _("This list may not be empty."),
    _("This dictionary may not be empty."),
    _("Null characters are not allowed."),
    _("Surrogate characters are not allowed: U+{code_point:X}."),
    _("Datetime value out of range."),
    _('Invalid datetime for the timezone "{timezone}".'),
)
