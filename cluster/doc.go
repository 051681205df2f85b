// Package cluster finds groups: by hierarchical clustering of a matrix of distances, and by centres (k-means).
//
// [Hierarchy] joins the two nearest groups over and over and keeps the history as a [Tree], in the numbering of scipy's
// linkage matrix. The tree is cut afterwards, at a height or into a number of groups:
//
//	tree, err := cluster.Hierarchy(distance, cluster.Average, 0)
//	groups := tree.Into(6)      // or tree.Below(0.3)
//
// [Centres] works on vectors and needs no distances. Both are functions of their arguments: ties are broken by the
// numbers of the leaves, and random starts follow the seed.
package cluster
