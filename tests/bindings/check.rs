//! Checks a file through the C interface, without bindgen. Prints the verdict, and each finding with its rule and offset.
use std::ffi::{c_char, c_void, CStr};
use std::ptr::null;

#[repr(C)]
struct Error {
    size: usize,
    code: i32,
    callback_code: i32,
    message: [c_char; 1008],
}

#[repr(C)]
struct FileResult {
    size: usize,
    path: *const c_char,
    created_by: *const c_char,
    verdict: i32,
    file_size: u64,
    rows: u64,
    errors: u64,
    warnings: u64,
    infos: u64,
    findings: u64,
}

#[repr(C)]
struct Finding {
    size: usize,
    texts: [*const c_char; 12],
    offset: u64,
    length: u64,
    page_offset: u64,
    times: u64,
    row_group: i32,
    leaf: i32,
    page: i32,
}

#[repr(C)]
struct Reader {
    size: usize,
    user: *mut c_void,
    file_size: extern "C" fn(*mut c_void, *mut u64) -> i32,
    read: extern "C" fn(*mut c_void, u64, *mut u8, usize) -> i32,
}

#[link(name = "parqproof")]
extern "C" {
    fn parqproof_open_reader(reader: *const Reader, options: *const c_void, file: *mut *mut c_void, error: *mut Error) -> i32;
    fn parqproof_check(file: *mut c_void, options: *const c_void, report: *mut *mut c_void, error: *mut Error) -> i32;
    fn parqproof_report_file(report: *const c_void, index: u64, result: *mut FileResult, error: *mut Error) -> i32;
    fn parqproof_report_finding(report: *const c_void, file: u64, index: u64, finding: *mut Finding, error: *mut Error) -> i32;
    fn parqproof_verdict_name(verdict: i32) -> *const c_char;
    fn parqproof_report_free(report: *mut c_void);
    fn parqproof_close(file: *mut c_void);
}

extern "C" fn file_size(user: *mut c_void, bytes: *mut u64) -> i32 {
    unsafe { *bytes = (*(user as *const Vec<u8>)).len() as u64 };
    0
}

extern "C" fn read(user: *mut c_void, offset: u64, into: *mut u8, count: usize) -> i32 {
    let bytes = unsafe { &*(user as *const Vec<u8>) };
    let part = &bytes[offset as usize..offset as usize + count];
    unsafe { std::ptr::copy_nonoverlapping(part.as_ptr(), into, count) };
    0
}

fn text(pointer: *const c_char) -> String {
    unsafe { CStr::from_ptr(pointer) }.to_string_lossy().into_owned()
}

fn main() {
    let path = std::env::args().nth(1).expect("a path");
    let mut bytes = std::fs::read(&path).expect("a file");
    let mut error: Error = unsafe { std::mem::zeroed() };
    error.size = std::mem::size_of::<Error>();
    let reader = Reader { size: std::mem::size_of::<Reader>(), user: &mut bytes as *mut Vec<u8> as *mut c_void, file_size, read };
    let (mut file, mut report) = (null::<c_void>() as *mut c_void, null::<c_void>() as *mut c_void);
    unsafe {
        assert_eq!(parqproof_open_reader(&reader, null(), &mut file, &mut error), 0);
        assert_eq!(parqproof_check(file, null(), &mut report, &mut error), 0);
        let mut result: FileResult = std::mem::zeroed();
        result.size = std::mem::size_of::<FileResult>();
        assert_eq!(parqproof_report_file(report, 0, &mut result, &mut error), 0);
        println!("{}", text(parqproof_verdict_name(result.verdict)));
        for index in 0..result.findings {
            let mut finding: Finding = std::mem::zeroed();
            finding.size = std::mem::size_of::<Finding>();
            assert_eq!(parqproof_report_finding(report, 0, index, &mut finding, &mut error), 0);
            println!("{} {}", text(finding.texts[0]), finding.offset);
        }
        assert_eq!(parqproof_report_file(report, 1, &mut result, &mut error), 1);
        assert!(text(error.message.as_ptr()).contains("no file 1"));
        parqproof_report_free(report);
        parqproof_close(file);
    }
}
