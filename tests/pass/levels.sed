# FileCheck takes any number of blanks for one: a bar for each level shows how deep a vertex lies.
:a
s/^(\|*)  /\1|/
ta
