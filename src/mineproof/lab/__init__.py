"""The lab: experiments that anyone can repeat."""
