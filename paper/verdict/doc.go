// Package verdict makes figures and judges the claims of a paper.
//
// A [Figure] has a function that computes its [Result]: drawings, tables and claims. A [Claim] carries what the paper
// says, the criterion, the numbers that were measured and the [Verdict]: it holds, holds with a correction, fails, or
// is open. [Make] runs figures into a folder, several at a time, keeps what is finished when it is interrupted, and
// writes the report (report.html, claims.md, paper.json). [MakeSeeds] does so with several seeds and merges the claims:
// one whose verdict changes with the seed is open.
//
// [Settings] tell a figure how to run, and hold what figures share: [Settings.Folder] and [Keep] outlive the process,
// [Settings.Once] and [Share] last for one call of Make.
package verdict
