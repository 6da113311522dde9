#pragma once

#include "conformance/state/file_check.hpp"

namespace parqproof {

/// Reads column_orders into ParsedFooter::orders, and judges each entry by the type of its leaf:
/// footer/column-orders-length, footer/column-order-*. Without a usable schema there are no orders.
void check_column_orders(FileCheck& check);

/// footer/column-orders-present, once per file and at the first bound that stands there. For a footer that
/// was read to its stop byte, so that what is absent is absent.
void check_bounds_have_orders(FileCheck& check);

}  // namespace parqproof
