#ifndef PARQPROOF_H
#define PARQPROOF_H

/* The C interface of parqproof, the strict referee of the Apache Parquet format. C11; usable from C++.
 *
 * Calls. Functions that can fail return a parqproof_status and take a parqproof_error, which may be NULL. Pointers to pointers
 * are set to an object on success, and to NULL on failure. A wrong file is no failure of a check: it has a report.
 *
 * Structs. A struct with the member `size` can grow in later versions. The caller sets `size` to its own sizeof: by hand, or by
 * the function ..._init(), which also sets the defaults and takes no NULL. Members that the caller's version lacks have their defaults.
 *
 * Ownership. Objects that pointers refer to (file, report, canceller) belong to the caller, who frees them by the function named in
 * their comment. Strings of a report belong to the report. The library copies strings of options and names during the call; bytes
 * of parqproof_open_bytes() and `user` pointers must stay valid until parqproof_close().
 *
 * Text. Strings are UTF-8 and end with NUL. Text that comes from a file is escaped: it has no control characters.
 *
 * Units. Offsets and sizes are in bytes from the first byte of the file, unless said otherwise. Row groups, columns, pages and rows
 * count from 0.
 *
 * Threads. Different objects can be used by different threads at the same time. A file and its reports can be read by several
 * threads at the same time, except that parqproof_close() and parqproof_report_free() must be the last calls. Callbacks of one file,
 * and those of one sink, are never called by two threads at once, but can be called by a thread of the library. No callback may
 * throw, or call longjmp(). */

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#define PARQPROOF_API
#else
#define PARQPROOF_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this interface: functions and members are added, never changed or removed, as long as it stays. */
#define PARQPROOF_ABI_VERSION 1

/* The ABI version of the library that is loaded. */
PARQPROOF_API uint32_t parqproof_abi_version(void);
/* The version of the program, "1.2.3", or "1.2.3-dev" between releases. */
PARQPROOF_API const char* parqproof_version(void);
/* The parquet-format commit by which files are judged: 40 hex digits. */
PARQPROOF_API const char* parqproof_spec_commit(void);

/* ---- Errors ---- */

typedef enum parqproof_status {
  PARQPROOF_OK = 0,
  PARQPROOF_INVALID_ARGUMENT = 1, /* the call: a NULL, a struct without size, an unknown word or rule */
  PARQPROOF_IO = 2,               /* a file cannot be opened, read or written */
  PARQPROOF_CALLBACK = 3,         /* a callback has failed: callback_code has its result */
  PARQPROOF_CANCELLED = 4,        /* by the canceller or by poll */
  PARQPROOF_BROKEN = 5,           /* the file breaks a rule, so that rows or metadata end early, or rows are left out */
  PARQPROOF_UNSUPPORTED = 6,      /* something is not supported, lacks a key or exceeds a limit; or the file does not have what is
                                     asked for */
  PARQPROOF_NO_MEMORY = 7,
  PARQPROOF_INTERNAL = 8 /* a bug of the library */
} parqproof_status;

/* Details of a failed call. */
typedef struct parqproof_error {
  size_t size;           /* sizeof(parqproof_error) */
  int32_t code;          /* the parqproof_status */
  int32_t callback_code; /* the result of the callback that has failed, else 0 */
  char message[1008];    /* cut if it is longer */
} parqproof_error;

/* ---- Callbacks ---- */

/* Takes output in pieces, in order. `write` returns 0, or another number to end the call with PARQPROOF_CALLBACK. */
typedef struct parqproof_sink {
  size_t size;
  void* user;
  int32_t (*write)(void* user, const void* bytes, size_t count);
} parqproof_sink;

/* Ends running calls from another thread. Free it after the calls that use it: parqproof_canceller_free(). */
typedef struct parqproof_canceller parqproof_canceller;
PARQPROOF_API parqproof_status parqproof_canceller_new(parqproof_canceller** canceller, parqproof_error* error);
/* Ends all calls that have the canceller, soon, and those that get it later. Can be called by a signal handler. */
PARQPROOF_API void parqproof_canceller_cancel(parqproof_canceller* canceller);
/* NULL is allowed. */
PARQPROOF_API void parqproof_canceller_free(parqproof_canceller* canceller);

/* How a call is ended early: by a canceller, by a callback, or by both. */
typedef struct parqproof_control {
  size_t size;
  parqproof_canceller* canceller; /* or NULL */
  /* Called about every 50 ms by the calling thread, while a thread of the library does the work; ends the call unless it returns
   * 0. NULL: the calling thread does the work. */
  int32_t (*poll)(void* user);
  void* user; /* of poll */
} parqproof_control;

/* ---- Files ---- */

/* A file that is open for reading. Free: parqproof_close(). */
typedef struct parqproof_file parqproof_file;

/* A file that callbacks read. Each returns 0, or another number, which ends the call with PARQPROOF_CALLBACK. */
typedef struct parqproof_reader {
  size_t size;
  void* user;
  /* Sets the size of the file in bytes; called once. */
  int32_t (*file_size)(void* user, uint64_t* bytes);
  /* Fills `into` with the `count` bytes at `offset`, which are inside the file. */
  int32_t (*read)(void* user, uint64_t offset, void* into, size_t count);
} parqproof_reader;

typedef struct parqproof_open_options {
  size_t size;
  const char* name;   /* the path in reports; NULL: the path, or "-" */
  const char* keys;   /* JSON with keys, as the file of `parqproof check --keys`; NULL: none */
  uint64_t footer_at; /* the end of the footer to read with; PARQPROOF_NONE: the end of the file */
} parqproof_open_options;

/* A number that is not given. */
#define PARQPROOF_NONE UINT64_MAX

PARQPROOF_API void parqproof_open_options_init(parqproof_open_options* options);
/* Opens a regular file; `options` may be NULL. Files that its column chunks name are read too. */
PARQPROOF_API parqproof_status parqproof_open_path(const char* path, const parqproof_open_options* options,
                                                   parqproof_file** file, parqproof_error* error);
/* Opens bytes in memory, which are not copied. */
PARQPROOF_API parqproof_status parqproof_open_bytes(const void* bytes, size_t count,
                                                    const parqproof_open_options* options, parqproof_file** file,
                                                    parqproof_error* error);
PARQPROOF_API parqproof_status parqproof_open_reader(const parqproof_reader* reader,
                                                     const parqproof_open_options* options, parqproof_file** file,
                                                     parqproof_error* error);
/* NULL is allowed. */
PARQPROOF_API void parqproof_close(parqproof_file* file);

/* ---- check ---- */

typedef enum parqproof_verdict {
  PARQPROOF_CONFORMING = 0,    /* no error, and all that was asked for was checked */
  PARQPROOF_UNSUPPORTED_PART = 1, /* no error, but a part uses what is not supported, or lacks a key */
  PARQPROOF_LIMIT = 2,         /* no error, but a limit was reached */
  PARQPROOF_NONCONFORMING = 3, /* all can be decoded, but a rule is broken */
  PARQPROOF_MALFORMED = 4,     /* a part cannot be decoded */
  PARQPROOF_UNREADABLE = 5     /* the file could not be read */
} parqproof_verdict;

/* The word of a verdict, as in reports; NULL for a number that is none. */
PARQPROOF_API const char* parqproof_verdict_name(int32_t verdict);

/* Ceilings, above which a part of a file is not read. 0: the default. */
typedef struct parqproof_limits {
  size_t size;
  uint64_t max_page;   /* bytes of a page, stored or decompressed; default 2 GiB */
  uint64_t max_memory; /* bytes; default 8 GiB */
  uint64_t max_work;   /* factor of the work that a file of its size may cause; default 1 */
  uint64_t max_depth;  /* nodes from the root of a schema to a leaf; default 1000 */
} parqproof_limits;

/* The options of `parqproof check`, with the words of the command line. */
typedef struct parqproof_check_options {
  size_t size;
  const char* tier;    /* "footer", "pages", "values"; NULL: "values" */
  const char* profile; /* "strict", "historical", "interop"; NULL: "strict" */
  const char* edition; /* "2.13", "2.14", "next"; NULL: "2.14" */
  uint64_t limit;      /* max findings listed; default 100, 0: all. The verdict does not depend on it */
  const char* const* ignore; /* rules, or area/ followed by *; `ignore_count` of them, as for the next two */
  size_t ignore_count;
  const char* const* only; /* rules: only these are reported */
  size_t only_count;
  const char* const* severity; /* "RULE=error", warning, info or off */
  size_t severity_count;
  uint64_t first_row_group; /* pages of row groups from this one on are checked; default 0 */
  uint64_t end_row_group;   /* to before this one; default PARQPROOF_NONE: to the last */
  uint32_t threads;         /* column chunks checked at the same time, 1 to 1024; default 1. The report does not depend on it */
  uint8_t advice;           /* 1: also findings of severity info */
  uint8_t excerpts;         /* 1: the form "text" has the bytes of each finding */
  uint8_t with_named_files; /* 1 (default): of a file opened by path, also files that its column chunks name */
  uint8_t fail_on_warning;  /* 1: forms show a file with a warning as failed */
  const parqproof_limits* limits;   /* NULL: the defaults */
  const parqproof_control* control; /* NULL: the call runs to its end */
} parqproof_check_options;

/* The result of a check. Free: parqproof_report_free(). It does not depend on the file, which may be closed before. */
typedef struct parqproof_report parqproof_report;

PARQPROOF_API void parqproof_check_options_init(parqproof_check_options* options);
/* Checks any bytes; `options` may be NULL. */
PARQPROOF_API parqproof_status parqproof_check(parqproof_file* file, const parqproof_check_options* options,
                                               parqproof_report** report, parqproof_error* error);
/* Makes the report of a file that the caller could not open or read, as of a network: the verdict is PARQPROOF_UNREADABLE, with the
 * cause. It has no findings. */
PARQPROOF_API parqproof_status parqproof_report_unreadable(const char* name, const char* cause,
                                                           const parqproof_check_options* options,
                                                           parqproof_report** report, parqproof_error* error);
/* NULL is allowed. */
PARQPROOF_API void parqproof_report_free(parqproof_report* report);

/* One file in a report: the first is the checked file, others are those that its column chunks name. */
typedef struct parqproof_file_result {
  size_t size;
  const char* path;
  const char* created_by; /* in the footer; NULL: none */
  int32_t verdict;        /* a parqproof_verdict */
  uint64_t file_size;     /* PARQPROOF_NONE: unknown */
  uint64_t rows;          /* num_rows in the footer; PARQPROOF_NONE: unknown */
  uint64_t errors;        /* findings, listed or not */
  uint64_t warnings;
  uint64_t infos;
  uint64_t findings;   /* listed findings */
  uint64_t row_groups; /* PARQPROOF_NONE: unknown */
} parqproof_file_result;

PARQPROOF_API uint64_t parqproof_report_files(const parqproof_report* report);
PARQPROOF_API parqproof_status parqproof_report_file(const parqproof_report* report, uint64_t index,
                                                     parqproof_file_result* result, parqproof_error* error);

/* A finding of a file. Strings that do not apply are NULL, ordinals -1. */
typedef struct parqproof_finding {
  size_t size;
  const char* rule;       /* id: "statistics/max-value" */
  const char* severity;   /* "error", "warning", "info" */
  const char* fault_class; /* "malformed", "invalid", "unsupported", "limit" */
  const char* clause;     /* of the specification: "Encodings.md#RLE" */
  const char* clause_url;
  const char* message;
  const char* harm; /* readers that are affected, and how */
  const char* fix;  /* what the writer should do */
  const char* column; /* dotted path */
  const char* field;  /* path of the Thrift field */
  const char* found;
  const char* expected;
  uint64_t offset;      /* of the first wrong byte: in the file, or in the uncompressed image of a page if page_offset is set */
  uint64_t length;      /* wrong bytes */
  uint64_t page_offset; /* offset in the file of the header of that page; PARQPROOF_NONE: `offset` is in the file */
  uint64_t times;       /* such findings in the column chunk, of which this is the first */
  int32_t row_group;
  int32_t leaf; /* ordinal of the column */
  int32_t page; /* ordinal in the column chunk, counting the dictionary page */
} parqproof_finding;

/* Finding `index` of file `file`, in file order. */
PARQPROOF_API parqproof_status parqproof_report_finding(const parqproof_report* report, uint64_t file, uint64_t index,
                                                        parqproof_finding* finding, parqproof_error* error);

/* Writes the report in a form of `parqproof check --format`: "text", "json", "ndjson", "lines", "sarif", "junit", "github",
 * "codequality", "markdown", "html". `file` is the checked file for forms that show its bytes (html); NULL: without them. */
PARQPROOF_API parqproof_status parqproof_report_write(const parqproof_report* report, const char* form,
                                                      parqproof_file* file, const parqproof_sink* sink,
                                                      parqproof_error* error);

/* ---- Contents of a file ---- */

typedef struct parqproof_row_options {
  size_t size;
  const char* const* columns; /* dotted paths of leaves or groups; none: all */
  size_t column_count;
  uint64_t first_row;   /* default 0 */
  uint64_t end_row;     /* default PARQPROOF_NONE: to the last row */
  uint64_t limit;       /* max rows; default PARQPROOF_NONE */
  const char* lookup;   /* "COLUMN=VALUE": rows found by index pages of the 2013 format; NULL: none */
  const char* damaged;  /* rows that lost a value: "end" (default, also NULL), "left-out", "null" */
  uint8_t physical;     /* 1: values as stored */
  uint8_t ignore_crc;   /* 1: reads pages despite a wrong checksum */
  const parqproof_limits* limits;   /* NULL: the defaults */
  const parqproof_control* control; /* NULL: the call runs to its end */
} parqproof_row_options;

PARQPROOF_API void parqproof_row_options_init(parqproof_row_options* options);
/* Writes rows as JSON Lines, as `parqproof cat`. `notes` takes the lines about what is left out; NULL: nothing. If a row cannot be
 * assembled, the rows before it are written, and the status is PARQPROOF_BROKEN or PARQPROOF_UNSUPPORTED. */
PARQPROOF_API parqproof_status parqproof_rows(parqproof_file* file, const parqproof_row_options* options,
                                              const parqproof_sink* sink, const parqproof_sink* notes,
                                              parqproof_error* error);

/* The byte map, the footer as stored, and the schema, as JSON or as text. If a part cannot be read, the rest is written, and the status
 * is PARQPROOF_BROKEN or PARQPROOF_UNSUPPORTED. `with_bytes`: 1 adds the bytes of each segment. `control` may be NULL, here and in the
 * functions below: the call runs to its end. */
PARQPROOF_API parqproof_status parqproof_layout_json(parqproof_file* file, int32_t with_bytes,
                                                     const parqproof_control* control, const parqproof_sink* sink,
                                                     parqproof_error* error);
PARQPROOF_API parqproof_status parqproof_meta_json(parqproof_file* file, const parqproof_control* control,
                                                   const parqproof_sink* sink, parqproof_error* error);
PARQPROOF_API parqproof_status parqproof_schema_json(parqproof_file* file, const parqproof_control* control,
                                                     const parqproof_sink* sink, parqproof_error* error);
/* In the message syntax of parquet-java. */
PARQPROOF_API parqproof_status parqproof_schema_text(parqproof_file* file, const parqproof_control* control,
                                                     const parqproof_sink* sink, parqproof_error* error);

/* ---- Rules ---- */

/* All rules as a JSON array, as `parqproof rules --format json`. */
PARQPROOF_API parqproof_status parqproof_rules_json(const parqproof_sink* sink, parqproof_error* error);
/* One rule: as `parqproof explain`, and as a JSON object with its members, `known_bugs` and `witness`. */
PARQPROOF_API parqproof_status parqproof_explain_text(const char* rule, const parqproof_sink* sink,
                                                      parqproof_error* error);
PARQPROOF_API parqproof_status parqproof_explain_json(const char* rule, const parqproof_sink* sink,
                                                      parqproof_error* error);

/* ---- rewrite, mutate ---- */

/* Where a file is written: to a path, where it appears complete or not at all, or to a sink. One of both is NULL. */
typedef struct parqproof_target {
  size_t size;
  const char* path;
  const parqproof_sink* sink;
} parqproof_target;

/* The options of `parqproof rewrite`, with the words of the command line. Members with 3 values: -1 (default) as in the file, or as the
 * command line has it; 0 no; 1 yes. */
typedef struct parqproof_rewrite_options {
  size_t size;
  const char* const* encodings; /* "[COLUMN=]ENCODING" */
  size_t encoding_count;
  const char* const* bloom_filters; /* dotted paths of leaves */
  size_t bloom_filter_count;
  const char* const* columns; /* dotted paths of leaves or groups; none: all */
  size_t column_count;
  const char* compression;     /* "CODEC[:LEVEL]"; NULL: as in the file */
  const char* profile;         /* "strict" (default, also NULL), "historical" */
  const char* encryption;      /* JSON, as the file of `rewrite --encryption`; NULL: not encrypted */
  const char* shrink;          /* a rule: the smallest file that still breaks it; excludes other options about the form */
  parqproof_file* schema_from; /* with `salvage`: a file with the same schema; or NULL */
  uint64_t page_bytes;         /* bytes of values at which a page ends; 0: the default */
  uint64_t page_rows;
  uint64_t row_group_rows;
  uint32_t page_version; /* 1, 2; 0: as in the file */
  int8_t statistics;
  int8_t page_index;
  int8_t checksums;
  uint8_t salvage; /* 1: rows that are lost to damage are left out */
  uint8_t scrub;   /* 1: other values and names, which break the same rules; excludes other options about the form */
  const parqproof_limits* limits;   /* NULL: the defaults */
  const parqproof_control* control; /* NULL: the call runs to its end */
} parqproof_rewrite_options;

PARQPROOF_API void parqproof_rewrite_options_init(parqproof_rewrite_options* options);
/* Writes the rows again. `notes` takes the lines about what was left out or guessed; NULL: nothing. With PARQPROOF_BROKEN there is a
 * file if `written` is set to 1: it lacks rows, or is guessed in parts. `written` may be NULL. */
PARQPROOF_API parqproof_status parqproof_rewrite(parqproof_file* file, const parqproof_rewrite_options* options,
                                                 const parqproof_target* target, const parqproof_sink* notes,
                                                 int32_t* written, parqproof_error* error);

/* All faults of `parqproof mutate --list --format json`; with a file, whether it has what each needs. `file` may be NULL. */
PARQPROOF_API parqproof_status parqproof_faults_json(parqproof_file* file, uint64_t seed,
                                                     const parqproof_control* control, const parqproof_sink* sink,
                                                     parqproof_error* error);
/* Writes a copy of the file with a fault at place `seed` of those that are possible. `notes` takes the changed place; NULL: nothing. */
PARQPROOF_API parqproof_status parqproof_mutate(parqproof_file* file, const char* fault, uint64_t seed,
                                                const parqproof_control* control, const parqproof_target* target,
                                                const parqproof_sink* notes, parqproof_error* error);

#ifdef __cplusplus
}
#endif

#endif
