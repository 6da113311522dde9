"""The format, written and read: Thrift, schemas, encodings, compression, pages and files, with every part replaceable."""
