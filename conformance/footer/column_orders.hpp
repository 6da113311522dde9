#pragma once

#include "conformance/state/file_check.hpp"

namespace parqproof {

/// Reads column_orders into ParsedFooter::orders, and judges each entry by the type of its leaf:
/// footer/column-orders-length, footer/column-order-*. Without a usable schema there are no orders.
void check_column_orders(FileCheck& check);

/// footer/column-orders-present, once per file at the first bound. The footer must have been read to its
/// stop byte, so that absent fields are known to be absent.
void check_bounds_have_orders(FileCheck& check);

}  // namespace parqproof
