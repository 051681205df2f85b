// Package cluster finds groups, either by hierarchical clustering of a matrix of distances or as centres of vectors
// (k-means).
//
// [Hierarchy] repeatedly joins the two nearest groups and records the history as a [Tree], numbered like the linkage
// matrix of scipy. The tree is cut afterwards, at a height or into a number of groups:
//
//	tree, err := cluster.Hierarchy(distance, cluster.Average, 0)
//	groups := tree.Into(6)      // or tree.Below(0.3)
//
// [Centres] works on vectors and needs no distances. Both are deterministic: ties are broken by the numbers of the
// leaves, and random starts depend on the seed alone.
package cluster
