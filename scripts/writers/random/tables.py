"""Random Arrow tables: every type, extreme values, nulls and empties at each level of nesting."""

import decimal
import json
import struct

import pyarrow as pa

WORDS = ("", "a", "alpha", "alphabet", "beta", "Gamma", "größe", "日本", "zz", "🙂 smile", "\x00", "z" * 70, "\U0010ffff" * 20, "é" * 40)
BLOBS = (b"", b"\x00", b"\xff", b"\xff" * 40, b"\x80\x7f", b"abc", b"\xff" * 3, b"\x00" * 20)
REALS = (0.0, -0.0, float("inf"), float("-inf"), float("nan"), 5e-324, -1.5, 1.7976931348623157e308, -1.7976931348623157e308, 1e-300)
DAY = 86_400
LAST_DAY = {"date": 2_932_896}  # 9999-12-31
FIRST_DAY = {"date": -719_162}  # 0001-01-01
PER_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
FEATURES = {
    "rows": [0, 1, 2, 37, 150, 400],
    "nulls": ["none", "some", "many", "all", "runs"],
    "values": ["special", "random", "few", "constant", "ascending", "runs"],
    "shape": ["flat", "flat", "numbers", "texts", "nested", "deep"],
    "sorted": [None, None, "ascending", "descending", "nulls-first", "descending-nulls-first", "two"],
}


class Tables:
    """Makes random tables for one writer: leaves are the Arrow types that it takes."""

    def __init__(self, rng, plan, leaves, nests=("list", "struct", "map"), nans=True):
        self.rng, self.plan, self.leaves, self.nests, self.nans = rng, plan, leaves, nests, nans

    def table(self):
        """A table of the plan's shape; sorted if the plan requires it. Returns it and its sorting [(column, descending, nulls_first)]."""
        rng, n, shape = self.rng, self.plan["rows"], self.plan["shape"]
        width = 1 + rng.randrange(6)
        leaves = self.leaves
        if shape == "numbers":
            leaves = [kind for kind in leaves if pa.types.is_primitive(kind)] or leaves
        elif shape == "texts":
            leaves = [kind for kind in leaves if not pa.types.is_primitive(kind)] or leaves
        fields, arrays = [], []
        for i in range(width):
            kind = rng.choice(leaves)
            if shape in ("nested", "deep") and self.nests:
                kind = self.nest(3 if shape == "deep" else 1 + rng.randrange(2))
            fields.append(self.field(f"c{i}", kind))
            arrays.append(self.array(kind, n, fields[-1].nullable))
        table = pa.Table.from_arrays(arrays, schema=pa.schema(fields))
        return self.sort(table)

    def field(self, name, kind):
        return pa.field(name, kind, nullable=self.rng.random() < 0.7 or pa.types.is_null(kind))

    def nest(self, depth):
        rng = self.rng
        if depth == 0:
            return rng.choice(self.leaves)
        how = rng.choice(self.nests)
        if how == "list":
            return pa.list_(self.field("element", self.nest(depth - 1)))
        if how == "large_list":
            return pa.large_list(self.field("element", self.nest(depth - 1)))
        if how == "fixed_list":
            return pa.list_(pa.field("element", self.nest(depth - 1), nullable=True), 1 + rng.randrange(3))
        if how == "map":
            key = rng.choice([kind for kind in (pa.string(), pa.int32(), pa.int64()) if kind in self.leaves] or [pa.string()])
            return pa.map_(key, self.nest(depth - 1))
        return pa.struct([self.field(f"f{i}", self.nest(depth - 1 if i == 0 else 0)) for i in range(1 + rng.randrange(3))])

    # Slots

    def mask(self, n, nullable):
        """The null slots among n."""
        rng, how = self.rng, self.plan["nulls"]
        if not nullable or how == "none":
            return [False] * n
        if how == "all":
            return [True] * n
        if how == "runs":
            return [i // 23 % 2 == 1 for i in range(n)]
        share = 0.15 if how == "some" else 0.8
        return [rng.random() < share for _ in range(n)]

    def array(self, kind, n, nullable):
        """An array of n slots."""
        mask = self.mask(n, nullable)
        valid = pa.array([not null for null in mask], pa.bool_())
        if pa.types.is_null(kind):
            return pa.nulls(n)
        if isinstance(kind, pa.BaseExtensionType):
            if kind.extension_name == "arrow.json":
                texts = [None if null else json.dumps({"a": [i, None, "é"]}) for i, null in enumerate(mask)]
                return pa.ExtensionArray.from_storage(kind, pa.array(texts, kind.storage_type))
            storage = self.array(kind.storage_type, n, nullable)
            return pa.ExtensionArray.from_storage(kind, storage)
        if pa.types.is_struct(kind):
            children = [self.array(field.type, n, field.nullable) for field in kind]
            return pa.StructArray.from_arrays(children, fields=list(kind), mask=pa.array(mask, pa.bool_())) if n else pa.array([], kind)
        if pa.types.is_fixed_size_list(kind):
            values = self.array(kind.value_type, n * kind.list_size, kind.value_field.nullable)
            return pa.FixedSizeListArray.from_arrays(values, type=kind, mask=pa.array(mask, pa.bool_())) if n else pa.array([], kind)
        if pa.types.is_map(kind):
            offsets, total = self.offsets(mask)
            keys = pa.array([i if pa.types.is_integer(kind.key_type) else f"k{i}" for i in range(total)], kind.key_type)
            items = self.array(kind.item_type, total, kind.item_field.nullable)
            offsets = pa.array([o if i == n or not mask[i] else None for i, o in enumerate(offsets)], pa.int32())
            return pa.MapArray.from_arrays(offsets, keys, items, type=kind)
        if pa.types.is_list(kind) or pa.types.is_large_list(kind):
            offsets, total = self.offsets(mask)
            values = self.array(kind.value_type, total, kind.value_field.nullable)
            large = pa.types.is_large_list(kind)
            make = pa.LargeListArray if large else pa.ListArray
            return make.from_arrays(pa.array(offsets, pa.int64() if large else pa.int32()), values, type=kind, mask=pa.array(mask, pa.bool_())) if n else pa.array([], kind)
        return self.leaf(kind, n, mask)

    def offsets(self, mask):
        offsets, total = [0], 0
        for null in mask:
            total += 0 if null else self.rng.choice((0, 0, 1, 1, 2, 3, 5))
            offsets.append(total)
        return offsets, total

    # Values

    def leaf(self, kind, n, mask):
        how = self.plan["values"]
        one = self.maker(kind)
        if how == "special":
            values = [one("special" if self.rng.random() < 0.6 else "random") for _ in range(n)]
        elif how == "random":
            values = [one("random") for _ in range(n)]
        elif how == "constant":
            values = [one(self.rng.choice(("special", "random")))] * n
        else:
            few = [one(self.rng.choice(("special", "random"))) for _ in range(n if how == "ascending" else 5)]
            if how == "ascending":
                values = sorted(few, key=lambda v: (v != v, v))
            else:
                values = [few[i // 31 % 5] if how == "runs" else self.rng.choice(few) for i in range(n)]
        values = [None if null else value for value, null in zip(values, mask)]
        if pa.types.is_dictionary(kind):
            return pa.array(values, kind.value_type).dictionary_encode().cast(kind)
        if pa.types.is_temporal(kind):
            bits = pa.int32() if kind.bit_width == 32 else pa.int64()
            return pa.array(values, bits).view(kind)
        return pa.array(values, kind)

    def integers(self, low, high):
        def one(how):
            if how == "special":
                return self.rng.choice((low, high, low + 1, high - 1, max(low, 0), max(low, -1) if high > -1 else high, 1))
            span = self.rng.choice((high - low, min(high - low, 1000)))
            base = max(low, min(0, high)) if span <= 1000 else low
            return min(high, base + self.rng.randrange(span + 1))

        return one

    def maker(self, kind):
        """A function of "special" or "random" that makes one value."""
        rng, t = self.rng, pa.types
        if t.is_boolean(kind):
            return lambda how: rng.random() < 0.5
        if t.is_integer(kind):
            bits = kind.bit_width
            return self.integers(0, 2**bits - 1) if t.is_unsigned_integer(kind) else self.integers(-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
        if t.is_floating(kind):
            return self.reals({16: "e", 32: "f", 64: "d"}[kind.bit_width])
        if t.is_decimal(kind):
            limit = 10**kind.precision - 1
            ints, context = self.integers(-limit, limit), decimal.Context(prec=80, Emax=9999, Emin=-9999)
            return lambda how: context.create_decimal(ints(how)).scaleb(-kind.scale, context)
        if t.is_date32(kind):
            return self.integers(FIRST_DAY["date"], LAST_DAY["date"])
        if t.is_date64(kind):
            days = self.integers(FIRST_DAY["date"], LAST_DAY["date"])
            return lambda how: days(how) * DAY * 1000
        if t.is_time(kind):
            return self.integers(0, DAY * PER_SECOND[kind.unit] - 1)
        if t.is_timestamp(kind):
            units = PER_SECOND[kind.unit]
            low, high = max(FIRST_DAY["date"] * DAY * units, -(2**63)), min((LAST_DAY["date"] + 1) * DAY * units - 1, 2**63 - 1)
            return self.integers(low, high)
        if t.is_duration(kind):
            return self.integers(-(2**63) + 1, 2**63 - 1)
        if t.is_dictionary(kind):
            return self.maker(kind.value_type)
        if t.is_fixed_size_binary(kind):
            size = kind.byte_width
            return lambda how: rng.choice((b"\x00" * size, b"\xff" * size, b"\x80" + b"\x00" * (size - 1))) if how == "special" else rng.randbytes(size)
        if t.is_string(kind) or t.is_large_string(kind) or t.is_string_view(kind):
            return lambda how: rng.choice(WORDS) if how == "special" else f"{'customer/' * rng.randrange(3)}{rng.randrange(10**6):06d}"
        return lambda how: rng.choice(BLOBS) if how == "special" else rng.randbytes(rng.randrange(20))

    def reals(self, code):
        def one(how):
            value = self.rng.choice(REALS) if how == "special" else self.rng.choice((self.rng.uniform(-1000, 1000), round(self.rng.uniform(-99, 99), 2)))
            if value != value and not self.nans:
                return 0.0
            try:
                return struct.unpack("<" + code, struct.pack("<" + code, value))[0]
            except OverflowError:
                return float("inf") if value > 0 else float("-inf")

        return one

    # Order

    def sort(self, table):
        how = self.plan["sorted"]
        columns = [i for i, field in enumerate(table.schema) if self.sortable(field.type)]
        if how is None or not columns or any(map(self.has_extension, table.schema.types)):  # which pyarrow cannot reorder
            return table, []
        chosen = self.rng.sample(columns, min(len(columns), 2 if how == "two" else 1))
        order = [(i, "descending" in how or how == "two" and k == 1, "nulls-first" in how or how == "two" and self.rng.random() < 0.5) for k, i in enumerate(chosen)]
        rows = list(range(table.num_rows))
        for i, descending, nulls_first in reversed(order):
            kind = table.schema.field(i).type
            column = table.column(i).combine_chunks()
            if pa.types.is_temporal(kind):
                column = column.view(pa.int32() if kind.bit_width == 32 else pa.int64())
            values = column.to_pylist()
            values = [v.encode() if isinstance(v, str) else v for v in values]
            full = sorted((r for r in rows if values[r] is not None), key=lambda r: values[r], reverse=descending)
            empty = [r for r in rows if values[r] is None]
            rows = empty + full if nulls_first else full + empty
        return table.take(pa.array(rows, pa.int64())), order

    @classmethod
    def has_extension(cls, kind):
        return isinstance(kind, pa.BaseExtensionType) or any(cls.has_extension(kind.field(i).type) for i in range(kind.num_fields))

    @staticmethod
    def sortable(kind):
        t = pa.types
        return t.is_integer(kind) or t.is_string(kind) or t.is_binary(kind) or t.is_date(kind) or t.is_timestamp(kind) or t.is_time(kind) or t.is_decimal(kind)
