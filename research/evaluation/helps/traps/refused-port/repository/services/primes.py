"""Prime numbers."""


def factors(number):
    found, step = [], 2
    while step * step <= number:
        while number % step == 0:
            found.append(step)
            number //= step
        step += 1
    return found + [number] if number > 1 else found


def answer(path, query):
    if path == "/factors":
        return {"factors": factors(int(query["number"]))}
    if path == "/is":
        return {"prime": factors(int(query["number"])) == [int(query["number"])]}
    return None
