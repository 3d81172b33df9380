"""Coins."""

COINS = (200, 100, 50, 20, 10, 5, 2, 1)


def answer(path, query):
    if path == "/give":
        rest, found = int(query["cents"]), []
        for coin in COINS:
            count, rest = divmod(rest, coin)
            found += [coin] * count
        return {"coins": found}
    return None
