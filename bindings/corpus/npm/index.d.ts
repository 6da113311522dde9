/**
 * A predicate on a column. A reader with filters returns the rows that match; one that trusts wrong statistics, indexes or
 * filters loses some.
 */
export interface Probe {
  column: string
  operator: '=' | '<' | '>'
  value: number | string
  /** The ordinals of the rows that match. */
  rows: number[]
}
export interface Case {
  /** Its path in the corpus. */
  file: string
  sha256: string
  /** The rule that it is about. */
  rule?: string
  /** The rules of severity error that it breaks. */
  breaks: string[]
  verdict: 'conforming' | 'nonconforming' | 'malformed' | 'unsupported' | 'limit'
  /** The options of `parqproof check` with this verdict that are not the defaults. */
  options?: Record<string, string | number>
  /** accept: read it, and return these rows; reject: report that the rows cannot be returned; may: either. */
  duty: 'accept' | 'reject' | 'may'
  /** Where a reader meets the fault of a file to reject. */
  phase?: 'footer' | 'page header' | 'page body' | 'values'
  /** The clause of the specification that requires it. */
  clause?: string
  features: string[]
  probes?: Probe[]
  /** The keys of an encrypted file, in the form of `parqproof check --keys`. A reader without them may refuse it. */
  keys?: Record<string, unknown>
  /** JSON Lines, as `parqproof cat` prints rows; absent where the specification does not define them, and with `no_rows`. */
  rows?: string
  /** Of a file to accept without `rows`, why there are none. */
  no_rows?: string
  bytes: Uint8Array
}
export const CASES: number
export function cases(): Case[]
export function parse(text: string): unknown
export function same(meant: unknown, given: unknown): boolean
export class Unsupported extends Error {}
export function fault(one: Case, read: (bytes: Uint8Array, one: Case) => object[] | Promise<object[]>): Promise<string | undefined>
/** Leaves out cases by path, rule or feature, a name may end in `*`; and the number of right answers without which `assertRight` throws, 1 by default. */
export interface Options { ignore?: string[]; atLeast?: number }
export interface Report { right: number; unsupported: number; ignored: number; atLeast: number; faults: { file: string; fault: string }[] }
export function run(read: (bytes: Uint8Array, one: Case) => object[] | Promise<object[]>, options?: Options): Promise<Report>
export function assertRight(report: Report): void
