// Package paper makes the figures of Roussel, Cocco and Monasson again, and judges what the paper says about them claim
// by claim.
//
// [All] lists the figures in the order of the paper, [Find] finds some by their names. [Make] runs them into a folder:
// each gets a folder of its own with its pictures, tables and claims, and report.html shows all that are there. A
// figure that is finished is not run again.
//
// Package verdict holds what a figure is, how its claims are judged, and the maker. Package experiment holds what
// several figures share, such as trained models. Package figure holds the figures and says how to add one.
package paper
