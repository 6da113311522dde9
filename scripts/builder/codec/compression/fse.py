"""Tables of finite state entropy (RFC 8878, section 4.1): a state is a symbol and the rule for the next state."""

from builder.codec.cursor import Refused


def build(chances, accuracy):
    """The states, each (symbol, bits to read, number to add), from the probability of each symbol in 2^accuracy; -1 is
    less than one."""
    size = 1 << accuracy
    symbols, high = [None] * size, size - 1
    for symbol, chance in enumerate(chances):
        if chance == -1:
            symbols[high] = symbol
            high -= 1
    at = 0
    for symbol, chance in enumerate(chances):
        for _ in range(chance):
            symbols[at] = symbol
            at = at + (size >> 1) + (size >> 3) + 3 & size - 1
            while at > high:
                at = at + (size >> 1) + (size >> 3) + 3 & size - 1
    following = [abs(chance) for chance in chances]
    states = []
    for symbol in symbols:
        number = following[symbol]
        following[symbol] += 1
        bits = accuracy + 1 - number.bit_length()
        states.append((symbol, bits, (number << bits) - size))
    return states


def read(bits, most_accuracy, most_symbol):
    """Reads the description of a table, and returns its states."""
    accuracy = bits.number(4) + 5
    if accuracy > most_accuracy:
        raise Refused(f"a table of 2^{accuracy} states")
    chances, left = [], 1 << accuracy
    while left > 0:
        size = (left + 1).bit_length()
        short = (1 << size) - 2 - left  # so many numbers take one bit less
        number = bits.peek(size)
        if number & (1 << size - 1) - 1 < short:
            number &= (1 << size - 1) - 1
            size -= 1
        elif number >> size - 1:
            number -= short
        bits.skip(size)
        chances.append(number - 1)
        left -= abs(number - 1)
        while number == 1:
            zeros = bits.number(2)
            chances += [0] * zeros
            if zeros < 3:
                break
    if left or len(chances) > most_symbol + 1:
        raise Refused("the chances of a table do not add up, or are those of too many symbols")
    return build(chances, accuracy)
