"""Files by pyarrow. Its direct keys are for uniform encryption; keys of columns go through its key tools, which make them at random: they are part of the answer."""

import base64

import jobs
import pyarrow
import pyarrow.parquet as pq
import pyarrow.parquet.encryption as pe


class Keys(pe.KmsClient):
    """Wraps a key as its base64. `made` has the keys by the name of their master key: a column, or "footer"; `known` those to unwrap."""

    def __init__(self, made, known):
        super().__init__()
        self.made, self.known = made, known

    def wrap_key(self, key, name):
        self.made[name] = key.hex()
        return base64.b64encode(key)

    def unwrap_key(self, wrapped, name):
        return bytes.fromhex(self.known[name])


def key_tools(made=None, known=None):
    return pe.CryptoFactory(lambda _: Keys(made, known))


def decryption(keys):
    """Keys of columns are found by the key material in the file."""
    if not keys.get("column_keys"):
        prefix = keys.get("aad_prefix")
        return pe.create_decryption_properties(bytes.fromhex(keys["footer_key"]), aad_prefix=prefix and prefix.encode())
    known = {"footer": keys["footer_key"], **keys["column_keys"]}
    return key_tools(known=known).file_decryption_properties(pe.KmsConnectionConfig(), pe.DecryptionConfiguration())


def encryption(form, made):
    is_plain = form["footer"] == "plaintext"
    if not form.get("column_keys"):
        prefix = form.get("aad_prefix")
        return pe.create_encryption_properties(
            bytes.fromhex(form["footer_key"]), aad_prefix=prefix and prefix.encode(), store_aad_prefix=form.get("store_aad_prefix", True),
            encryption_algorithm=form["algorithm"], plaintext_footer=is_plain)
    settings = pe.EncryptionConfiguration(
        footer_key="footer", column_keys={name: [name] for name in form["column_keys"]}, encryption_algorithm=form["algorithm"],
        plaintext_footer=is_plain, double_wrapping=False, data_key_length_bits=4 * len(form["footer_key"]))
    return key_tools(made).file_encryption_properties(pe.KmsConnectionConfig(), settings)


def do(job):
    with pq.ParquetFile(job["in"], decryption_properties=decryption(job["keys"]) if job["keys"] else None) as file:
        table = file.read()
    layout, made, more = job["layout"], {}, {}
    if job["form"]:  # it does not encrypt Bloom filters
        more["encryption_properties"] = encryption(job["form"], made)
    else:
        more["bloom_filter_options"] = {name: {"ndv": 50, "fpp": 0.05} for name in layout["bloom"]}
    pq.write_table(table, job["out"], row_group_size=layout["row_group_rows"], data_page_size=layout["page_bytes"], write_batch_size=16,
                   data_page_version=f"{layout['page_version']}.0", write_page_index=True, write_page_checksum=layout["checksums"],
                   **more)
    if not made:
        return {}
    return {"keys": {"footer_key": made.pop("footer"), "column_keys": made}}


jobs.main(f"pyarrow {pyarrow.__version__}", do)
