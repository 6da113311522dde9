package com.hadoop.compression.lzo;

/** The LZO codec of aircompressor under the class name by which parquet-java looks for one. */
public class LzoCodec extends io.airlift.compress.lzo.LzoCodec {}
