// Package browser opens reports in a real browser. It is a module of its own, so that the
// program does not depend on what drives one.
package browser
