Work that teaches nothing, made up for the pictures.

== silent

user: Rename the column total to gross in the order page, please.
read: web/orders.ts
    const columns = ["id", "total"]
edit: web/orders.ts
    -const columns = ["id", "total"]
    +const columns = ["id", "gross"]
run: npm test
    31 passed (2.1s)
agent: Done: the column is called gross now.
