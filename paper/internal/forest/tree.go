package forest

// tree is a decision tree, its root first.
type tree struct {
	nodes  []node
	shares []float64 // of the classes in each leaf
}

// node asks whether a feature is set; a leaf has feature −1, and its number in next[0].
type node struct {
	feature int32
	next    [2]int32 // children where the feature is 0 and 1
}

const leaf = -1

// vote adds the classes' shares in the leaf that a configuration falls into.
func (t *tree) vote(p []float64, bits []uint64) {
	n := &t.nodes[0]
	for n.feature != leaf {
		n = &t.nodes[n.next[bits[n.feature>>6]>>(n.feature&63)&1]]
	}
	for c, s := range t.shares[int(n.next[0])*len(p):][:len(p)] {
		p[c] += s
	}
}
