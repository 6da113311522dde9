/* Calls every function of the C interface. Arguments: an intact file with rows, a file that breaks statistics/max-value, a folder for files,
 * a file whose check takes seconds. */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <parqproof.h>

static int failures = 0;

#define EXPECT(condition)                                                    \
  do {                                                                       \
    if (!(condition)) {                                                      \
      fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition); \
      ++failures;                                                            \
    }                                                                        \
  } while (0)

static parqproof_error new_error(void) {
  parqproof_error error;
  memset(&error, 0, sizeof error);
  error.size = sizeof error;
  return error;
}

static void expect_ok(parqproof_status status, const parqproof_error* error, int line) {
  if (status == PARQPROOF_OK) return;
  fprintf(stderr, "%s:%d: status %d: %s\n", __FILE__, line, (int)status, error->message);
  ++failures;
}
#define EXPECT_OK(call) expect_ok(call, &error, __LINE__)

/* Text that a sink has received. */
typedef struct text {
  char* bytes;
  size_t count;
  size_t fail_after; /* 0: never */
} text;

static int32_t append(void* user, const void* bytes, size_t count) {
  text* to = user;
  if (to->fail_after != 0 && to->count + count >= to->fail_after) return 42;
  to->bytes = realloc(to->bytes, to->count + count + 1);
  memcpy(to->bytes + to->count, bytes, count);
  to->count += count;
  to->bytes[to->count] = 0;
  return 0;
}

static parqproof_sink sink_of(text* to) {
  parqproof_sink sink;
  sink.size = sizeof sink;
  sink.user = to;
  sink.write = append;
  return sink;
}

static int has(const text* in, const char* part) { return in->bytes != NULL && strstr(in->bytes, part) != NULL; }

static void clear(text* one) {
  free(one->bytes);
  memset(one, 0, sizeof *one);
}

/* A file of stdio with callbacks. */
typedef struct stream {
  FILE* file;
  uint64_t bytes_read;
  int fails;
} stream;

static int32_t stream_size(void* user, uint64_t* bytes) {
  stream* one = user;
  if (fseek(one->file, 0, SEEK_END) != 0) return 1;
  *bytes = (uint64_t)ftell(one->file);
  return 0;
}

static int32_t stream_read(void* user, uint64_t offset, void* into, size_t count) {
  stream* one = user;
  if (one->fails) return 7;
  if (fseek(one->file, (long)offset, SEEK_SET) != 0) return 1;
  one->bytes_read += count;
  return fread(into, 1, count, one->file) == count ? 0 : 1;
}

static parqproof_reader reader_of(stream* one) {
  parqproof_reader reader;
  reader.size = sizeof reader;
  reader.user = one;
  reader.file_size = stream_size;
  reader.read = stream_read;
  return reader;
}

static int32_t stop(void* user) {
  ++*(int*)user;
  return 1;
}

static void* cancel(void* canceller) {
  const struct timespec wait = {0, 200 * 1000 * 1000};
  nanosleep(&wait, NULL);
  parqproof_canceller_cancel(canceller);
  return NULL;
}

static void versions(void) {
  EXPECT(parqproof_abi_version() == PARQPROOF_ABI_VERSION);
  EXPECT(strlen(parqproof_version()) >= 5);
  EXPECT(strlen(parqproof_spec_commit()) == 40);
  EXPECT(strcmp(parqproof_verdict_name(PARQPROOF_MALFORMED), "malformed") == 0);
  EXPECT(parqproof_verdict_name(6) == NULL && parqproof_verdict_name(-1) == NULL);
}

static void checks(parqproof_file* broken) {
  parqproof_error error = new_error();
  parqproof_check_options options;
  parqproof_limits limits = {sizeof limits, 1 << 20, 1 << 28, 1, 100};
  const char* const ignored[] = {"footer/*"};
  const char* const severities[] = {"page-index/*=warning"};
  parqproof_report* report = NULL;
  parqproof_file_result result = {.size = sizeof result};
  parqproof_finding finding = {.size = sizeof finding};
  text out = {0};
  parqproof_sink sink = sink_of(&out);

  parqproof_check_options_init(&options);
  EXPECT(options.limit == 100 && options.threads == 1 && options.end_row_group == PARQPROOF_NONE);
  options.tier = "values";
  options.profile = "strict";
  options.edition = "2.14";
  options.ignore = ignored;
  options.ignore_count = 1;
  options.severity = severities;
  options.severity_count = 1;
  options.excerpts = 1;
  options.threads = 2;
  options.limits = &limits;
  EXPECT_OK(parqproof_check(broken, &options, &report, &error));
  EXPECT(parqproof_report_files(report) == 1);
  EXPECT_OK(parqproof_report_file(report, 0, &result, &error));
  EXPECT(result.verdict == PARQPROOF_NONCONFORMING && result.errors >= 1 && result.findings >= 1 && result.row_groups == 1);
  EXPECT_OK(parqproof_report_finding(report, 0, 0, &finding, &error));
  EXPECT(strcmp(finding.rule, "statistics/max-value") == 0 && strcmp(finding.severity, "error") == 0);
  EXPECT(finding.message != NULL && finding.found != NULL && finding.expected != NULL && finding.field != NULL);
  EXPECT(finding.offset < result.file_size && finding.length > 0 && finding.page_offset == PARQPROOF_NONE);
  EXPECT(finding.row_group == 0 && finding.leaf >= 0);
  EXPECT(parqproof_report_finding(report, 0, 1000, &finding, &error) == PARQPROOF_INVALID_ARGUMENT);
  EXPECT(parqproof_report_file(report, 1, &result, &error) == PARQPROOF_INVALID_ARGUMENT);
  EXPECT_OK(parqproof_report_write(report, "json", NULL, &sink, &error));
  EXPECT(has(&out, "\"report_version\": 1") || has(&out, "\"report_version\":1"));
  clear(&out);
  EXPECT_OK(parqproof_report_write(report, "html", broken, &sink, &error));
  EXPECT(has(&out, "<html"));
  EXPECT(parqproof_report_write(report, "html5", broken, &sink, &error) == PARQPROOF_INVALID_ARGUMENT);
  clear(&out);
  parqproof_report_free(report);
  parqproof_report_free(NULL);

  clear(&out);
  options.tier = "footer";
  EXPECT_OK(parqproof_report_unreadable("s3://a/b.parquet", "403 Forbidden", &options, &report, &error));
  EXPECT_OK(parqproof_report_file(report, 0, &result, &error));
  EXPECT(result.verdict == PARQPROOF_UNREADABLE && result.findings == 0 && result.file_size == PARQPROOF_NONE);
  EXPECT(strcmp(result.path, "s3://a/b.parquet") == 0);
  EXPECT_OK(parqproof_report_write(report, "ndjson", NULL, &sink, &error));
  EXPECT(has(&out, "403 Forbidden") && has(&out, "\"tier\":\"footer\""));
  clear(&out);
  parqproof_report_free(report);
  EXPECT(parqproof_report_unreadable("a", NULL, NULL, &report, &error) == PARQPROOF_INVALID_ARGUMENT && report == NULL);

  options.tier = "foter";
  EXPECT(parqproof_check(broken, &options, &report, &error) == PARQPROOF_INVALID_ARGUMENT);
  EXPECT(report == NULL && strstr(error.message, "did you mean 'footer'") != NULL);
  options.tier = NULL;
  options.size = 0;
  EXPECT(parqproof_check(broken, &options, &report, &error) == PARQPROOF_INVALID_ARGUMENT);
  EXPECT(parqproof_check(NULL, NULL, &report, NULL) == PARQPROOF_INVALID_ARGUMENT);
}

/* A caller that was compiled with an earlier, or a later version of the interface. */
static void other_versions(parqproof_file* intact) {
  parqproof_error error = new_error();
  parqproof_report* report = NULL;
  struct {
    parqproof_check_options known;
    uint64_t unknown;
  } later;
  parqproof_check_options earlier;
  parqproof_check_options_init(&earlier);
  earlier.size = offsetof(parqproof_check_options, ignore);
  earlier.ignore = (const char* const*)8; /* not read */
  earlier.ignore_count = 1;
  EXPECT_OK(parqproof_check(intact, &earlier, &report, &error));
  parqproof_report_free(report);
  parqproof_check_options_init(&later.known);
  later.known.size = sizeof later;
  later.unknown = 0;
  EXPECT_OK(parqproof_check(intact, &later.known, &report, &error));
  parqproof_report_free(report);
  later.unknown = 1;
  EXPECT(parqproof_check(intact, &later.known, &report, &error) == PARQPROOF_INVALID_ARGUMENT);
}

/* Functions whose control is an argument. */
static void cancelled_before(parqproof_file* intact, const parqproof_control* control) {
  parqproof_error error = new_error();
  text out = {NULL, 0, 0};
  const parqproof_sink sink = sink_of(&out);
  const parqproof_target target = {.size = sizeof target, .sink = &sink};
  EXPECT(parqproof_layout_json(intact, 1, control, &sink, &error) == PARQPROOF_CANCELLED);
  EXPECT(parqproof_meta_json(intact, control, &sink, &error) == PARQPROOF_CANCELLED);
  EXPECT(parqproof_schema_json(intact, control, &sink, &error) == PARQPROOF_CANCELLED);
  EXPECT(parqproof_schema_text(intact, control, &sink, &error) == PARQPROOF_CANCELLED);
  EXPECT(parqproof_faults_json(intact, 0, control, &sink, &error) == PARQPROOF_CANCELLED);
  EXPECT(parqproof_mutate(intact, "tail-magic-unknown", 0, control, &target, NULL, &error) == PARQPROOF_CANCELLED);
  EXPECT(strcmp(error.message, "the call was cancelled") == 0);
  clear(&out);
}

/* `slow` takes seconds: a canceller and a callback end its check at once. */
static void cancelled(parqproof_file* intact, parqproof_file* slow) {
  parqproof_error error = new_error();
  parqproof_canceller* canceller = NULL;
  parqproof_control control = {.size = sizeof control};
  parqproof_check_options options;
  parqproof_report* report = NULL;
  pthread_t thread;
  int polls = 0;
  parqproof_check_options_init(&options);
  options.control = &control;
  EXPECT_OK(parqproof_canceller_new(&canceller, &error));
  control.canceller = canceller;
  EXPECT_OK(parqproof_check(intact, &options, &report, &error));
  parqproof_report_free(report);
  EXPECT(pthread_create(&thread, NULL, cancel, canceller) == 0);
  EXPECT(parqproof_check(slow, &options, &report, &error) == PARQPROOF_CANCELLED && report == NULL);
  EXPECT(pthread_join(thread, NULL) == 0);
  EXPECT(parqproof_check(intact, &options, &report, &error) == PARQPROOF_CANCELLED);
  cancelled_before(intact, &control);
  parqproof_canceller_free(canceller);
  control.canceller = NULL;
  control.poll = stop;
  control.user = &polls;
  /* The small file is checked before the first poll. */
  EXPECT_OK(parqproof_check(intact, &options, &report, &error));
  parqproof_report_free(report);
  EXPECT(parqproof_check(slow, &options, &report, &error) == PARQPROOF_CANCELLED && report == NULL);
  EXPECT(polls >= 1);
}

static void contents(parqproof_file* intact) {
  parqproof_error error = new_error();
  text out = {0};
  text lines = {0};
  parqproof_sink sink = sink_of(&out);
  parqproof_sink notes = sink_of(&lines);
  parqproof_row_options options;
  const char* const missing[] = {"no such column"};
  parqproof_row_options_init(&options);
  options.limit = 2;
  EXPECT_OK(parqproof_rows(intact, &options, &sink, &notes, &error));
  EXPECT(out.count > 2 && out.bytes[0] == '{' && out.bytes[out.count - 1] == '\n');
  clear(&out);
  options.columns = missing;
  options.column_count = 1;
  EXPECT(parqproof_rows(intact, &options, &sink, NULL, &error) == PARQPROOF_INVALID_ARGUMENT);
  out.fail_after = 1;
  EXPECT(parqproof_rows(intact, NULL, &sink, NULL, &error) == PARQPROOF_CALLBACK && error.callback_code == 42);
  clear(&out);
  EXPECT_OK(parqproof_layout_json(intact, 1, NULL, &sink, &error));
  EXPECT(has(&out, "\"segments\"") && has(&out, "\"runs\""));
  clear(&out);
  EXPECT_OK(parqproof_meta_json(intact, NULL, &sink, &error));
  EXPECT(has(&out, "num_rows"));
  clear(&out);
  EXPECT_OK(parqproof_schema_json(intact, NULL, &sink, &error));
  EXPECT(has(&out, "\"repetition\""));
  clear(&out);
  EXPECT_OK(parqproof_schema_text(intact, NULL, &sink, &error));
  EXPECT(has(&out, "message "));
  clear(&out);
  clear(&lines);
}

static void rules(void) {
  parqproof_error error = new_error();
  text out = {0};
  parqproof_sink sink = sink_of(&out);
  EXPECT_OK(parqproof_rules_json(&sink, &error));
  EXPECT(has(&out, "\"statistics/max-value\""));
  clear(&out);
  EXPECT_OK(parqproof_explain_text("statistics/max-value", &sink, &error));
  EXPECT(has(&out, "demands"));
  clear(&out);
  EXPECT_OK(parqproof_explain_json("statistics/max-value", &sink, &error));
  EXPECT(has(&out, "\"witness\""));
  EXPECT(parqproof_explain_json("max-value", &sink, &error) == PARQPROOF_INVALID_ARGUMENT);
  EXPECT(strstr(error.message, "statistics/max-value") != NULL);
  clear(&out);
}

static void changed_files(parqproof_file* intact, parqproof_file* broken, const char* folder) {
  parqproof_error error = new_error();
  parqproof_rewrite_options options;
  text out = {0};
  text lines = {0};
  parqproof_sink sink = sink_of(&out);
  parqproof_sink notes = sink_of(&lines);
  parqproof_target target = {.size = sizeof target};
  int32_t written = 0;
  const char zeros[64] = {0};
  parqproof_file* lost = NULL;
  char path[4096];
  snprintf(path, sizeof path, "%s/rewritten.parquet", folder);
  parqproof_rewrite_options_init(&options);
  options.compression = "ZSTD:3";
  options.page_version = 2;
  target.path = path;
  EXPECT_OK(parqproof_rewrite(intact, &options, &target, &notes, &written, &error));
  EXPECT(written == 1);
  target.path = NULL;
  EXPECT(parqproof_rewrite(intact, &options, &target, NULL, NULL, &error) == PARQPROOF_INVALID_ARGUMENT);
  target.sink = &sink;
  options.compression = NULL;
  EXPECT_OK(parqproof_rewrite(intact, &options, &target, NULL, NULL, &error));
  EXPECT(out.count > 12 && memcmp(out.bytes, "PAR1", 4) == 0);
  clear(&out);
  options.shrink = "statistics/max-value";
  EXPECT(parqproof_rewrite(broken, &options, &target, NULL, NULL, &error) == PARQPROOF_INVALID_ARGUMENT);
  options.page_version = 0;
  EXPECT_OK(parqproof_rewrite(broken, &options, &target, NULL, NULL, &error));
  EXPECT(out.count > 12);
  clear(&out);
  parqproof_rewrite_options_init(&options);
  options.salvage = 1;
  EXPECT_OK(parqproof_open_bytes(zeros, sizeof zeros, NULL, &lost, &error));
  EXPECT(parqproof_rewrite(lost, &options, &target, NULL, &written, &error) == PARQPROOF_BROKEN && written == 0);
  parqproof_close(lost);
  clear(&out);

  EXPECT_OK(parqproof_faults_json(NULL, 0, NULL, &sink, &error));
  EXPECT(has(&out, "\"max-value-low\""));
  clear(&out);
  EXPECT_OK(parqproof_faults_json(intact, 0, NULL, &sink, &error));
  EXPECT(has(&out, "\"applies\""));
  clear(&out);
  clear(&lines);
  EXPECT_OK(parqproof_mutate(intact, "tail-magic-unknown", 0, NULL, &target, &notes, &error));
  EXPECT(out.count > 12 && lines.count > 0);
  EXPECT(parqproof_mutate(intact, "no-such-fault", 0, NULL, &target, NULL, &error) == PARQPROOF_INVALID_ARGUMENT);
  clear(&out);
  clear(&lines);
}

/* Opens in the three ways; one with a footer that is not there, one with callbacks that fail. */
static void opened(const char* path) {
  parqproof_error error = new_error();
  parqproof_file* file = NULL;
  parqproof_open_options options;
  parqproof_report* report = NULL;
  parqproof_file_result result = {.size = sizeof result};
  stream one = {0};
  parqproof_reader reader = reader_of(&one);
  parqproof_open_options_init(&options);
  options.name = "a \n name";
  EXPECT_OK(parqproof_open_bytes("no file", 7, &options, &file, &error));
  EXPECT_OK(parqproof_check(file, NULL, &report, &error));
  parqproof_close(file);
  EXPECT_OK(parqproof_report_file(report, 0, &result, &error));
  EXPECT(result.verdict == PARQPROOF_MALFORMED && strcmp(result.path, "a \\n name") == 0);
  EXPECT(result.rows == PARQPROOF_NONE && result.created_by == NULL && result.file_size == 7 && result.row_groups == PARQPROOF_NONE);
  parqproof_report_free(report);
  options.footer_at = 8;
  EXPECT(parqproof_open_bytes("no file", 7, &options, &file, &error) == PARQPROOF_INVALID_ARGUMENT && file == NULL);
  options.footer_at = PARQPROOF_NONE;
  options.keys = "{\"footer_key\": \"00\"}";
  EXPECT(parqproof_open_bytes("no file", 7, &options, &file, &error) == PARQPROOF_INVALID_ARGUMENT);
  EXPECT(parqproof_open_path("no/such/file", NULL, &file, &error) == PARQPROOF_IO && error.message[0] != 0);
  parqproof_close(NULL);

  one.file = fopen(path, "rb");
  EXPECT_OK(parqproof_open_reader(&reader, NULL, &file, &error));
  EXPECT_OK(parqproof_check(file, NULL, &report, &error));
  EXPECT_OK(parqproof_report_file(report, 0, &result, &error));
  EXPECT(result.verdict == PARQPROOF_CONFORMING && one.bytes_read > 0);
  parqproof_report_free(report);
  one.fails = 1;
  EXPECT(parqproof_check(file, NULL, &report, &error) == PARQPROOF_CALLBACK && error.callback_code == 7);
  parqproof_close(file);
  fclose(one.file);
}

int main(int argc, char** argv) {
  parqproof_error error = new_error();
  parqproof_file* intact = NULL;
  parqproof_file* broken = NULL;
  parqproof_file* slow = NULL;
  time_t began;
  if (argc != 5) return 2;
  EXPECT_OK(parqproof_open_path(argv[1], NULL, &intact, &error));
  EXPECT_OK(parqproof_open_path(argv[2], NULL, &broken, &error));
  versions();
  checks(broken);
  other_versions(intact);
  EXPECT_OK(parqproof_open_path(argv[4], NULL, &slow, &error));
  began = time(NULL);
  cancelled(intact, slow);
  EXPECT(time(NULL) - began <= 3);
  parqproof_close(slow);
  contents(intact);
  rules();
  changed_files(intact, broken, argv[3]);
  opened(argv[1]);
  parqproof_close(intact);
  parqproof_close(broken);
  printf("%d failures\n", failures);
  return failures != 0;
}
