package main

import (
	"errors"
	"strings"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/format"
)

// node is a field of the schema: which leaves are below it, and the levels where it has a value and where it repeats.
type node struct {
	element     *format.SchemaElement
	children    []*node
	first, last int
	def, rep    int
}

// view puts rows together: the logical view of LogicalTypes.md.
type view struct {
	children []*node
	leaves   int
}

func viewOf(file *parquet.File) *view {
	shape, at := &view{}, 0
	elements := file.Metadata().Schema
	var visit func(def, rep int) *node
	visit = func(def, rep int) *node {
		if at == len(elements) {
			panic(errors.New("the schema ends within a group"))
		}
		one := &node{element: &elements[at], first: shape.leaves, def: def, rep: rep}
		at++
		if at > 1 && one.is(format.Repeated) {
			one.rep++
		}
		if at > 1 && (one.is(format.Repeated) || one.is(format.Optional)) {
			one.def++
		}
		if one.element.Type.Valid && at > 1 {
			shape.leaves++
		}
		if one.group() || at == 1 {
			for range int(one.element.NumChildren.V) {
				one.children = append(one.children, visit(one.def, one.rep))
			}
		}
		one.last = shape.leaves
		return one
	}
	shape.children = visit(0, 0).children
	return shape
}

func (one *node) group() bool { return !one.element.Type.Valid }

func (one *node) is(repetition format.FieldRepetitionType) bool {
	return one.element.RepetitionType.Valid && one.element.RepetitionType.V == repetition
}

// inner is the repeated field of a LIST or MAP.
func (one *node) inner() *node {
	if len(one.children) == 1 && one.children[0].is(format.Repeated) {
		return one.children[0]
	}
	return nil
}

func (one *node) converted(kinds ...deprecated.ConvertedType) bool {
	for _, kind := range kinds {
		if one.element.ConvertedType.Valid && one.element.ConvertedType.V == kind {
			return true
		}
	}
	return false
}

func (one *node) list() bool {
	_, is := one.element.LogicalType.Value.(*format.ListType)
	return one.inner() != nil && (is || one.element.LogicalType.Value == nil && one.converted(deprecated.List))
}

func (one *node) mapped() bool {
	_, is := one.element.LogicalType.Value.(*format.MapType)
	entry := one.inner()
	return entry != nil && entry.group() && len(entry.children) > 0 && len(entry.children) < 3 &&
		(is || one.element.LogicalType.Value == nil && one.converted(deprecated.Map, deprecated.MapKeyValue))
}

// item is the element of a LIST, by the rules for older shapes too.
func (one *node) item() *node {
	middle := one.inner()
	name := middle.element.Name
	if len(middle.children) != 1 || middle.children[0].is(format.Repeated) || name == "array" || name == one.element.Name+"_tuple" {
		return middle
	}
	return middle.children[0]
}

type scope [][]parquet.Value

func (shape *view) row(values scope) (string, error) { return fields(shape.children, nil, values) }

func fields(nodes []*node, names []string, values scope) (string, error) {
	parts := make([]string, len(nodes))
	for place, one := range nodes {
		name := one.element.Name
		if names != nil {
			name = names[place]
		}
		text, err := one.shown(values)
		if err != nil {
			return "", err
		}
		parts[place] = quoted([]byte(name)) + ":" + text
	}
	return "{" + strings.Join(parts, ",") + "}", nil
}

var errApart = errors.New("driver: the columns of a group do not agree")

// has tells whether the node has a value there; all columns below have to agree.
func (one *node) has(values scope) (bool, error) {
	yes, no := false, false
	for leaf := one.first; leaf < one.last; leaf++ {
		if len(values[leaf]) == 0 {
			return false, errApart
		}
		there := values[leaf][0].DefinitionLevel() >= one.def
		yes, no = yes || there, no || !there
	}
	if yes && no {
		return false, errApart
	}
	return !no, nil
}

// each gives the scopes of the values of a repeated node.
func (one *node) each(values scope) ([]scope, error) {
	if there, err := one.has(values); err != nil || !there {
		return nil, err
	}
	var found []scope
	for leaf := one.first; leaf < one.last; leaf++ {
		begin, number := 0, 0
		for at := 1; at <= len(values[leaf]); at++ {
			if at < len(values[leaf]) && values[leaf][at].RepetitionLevel() > one.rep {
				continue
			}
			if leaf == one.first {
				found = append(found, make(scope, len(values)))
			}
			if number == len(found) {
				return nil, errApart
			}
			found[number][leaf] = values[leaf][begin:at]
			begin = at
			number++
		}
		if number != len(found) {
			return nil, errApart
		}
	}
	return found, nil
}

func (one *node) shown(values scope) (string, error) {
	if one.is(format.Repeated) {
		return one.array(values, (*node).value, one)
	}
	if there, err := one.has(values); err != nil {
		return "", err
	} else if !there {
		return "null", nil
	}
	return one.value(values)
}

func (one *node) array(values scope, show func(*node, scope) (string, error), item *node) (string, error) {
	all, err := one.each(values)
	if err != nil {
		return "", err
	}
	parts := make([]string, len(all))
	for place, each := range all {
		if parts[place], err = show(item, each); err != nil {
			return "", err
		}
	}
	return "[" + strings.Join(parts, ",") + "]", nil
}

// value shows a value that is there.
func (one *node) value(values scope) (string, error) {
	switch {
	case !one.group():
		if len(values[one.first]) != 1 {
			return "", errApart
		}
		return valueText(one.element, values[one.first][0])
	case one.list():
		middle, item := one.inner(), one.item()
		if item == middle {
			return middle.array(values, (*node).value, item)
		}
		return middle.array(values, (*node).shown, item)
	case one.mapped():
		names := []string{"key", "value"}
		entry := func(entry *node, values scope) (string, error) {
			return fields(entry.children, names[:len(entry.children)], values)
		}
		return one.inner().array(values, entry, one.inner())
	default:
		return fields(one.children, nil, values)
	}
}
