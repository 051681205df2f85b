package kernel

// A word of 64 units is divided into twelve groups of five and one of four.
const (
	groupBits   = 5
	wordGroups  = 13
	subsetTable = tile << groupBits // numbers in the table of a group
)

// groupSize is the number of rows of group g.
func groupSize(g int) int { return min(groupBits, 64-g*groupBits) }

// subsetSums tabulates the sums of all subsets of each group of five rows of sixteen numbers (the thirteenth group has
// four), and returns the number of groups rounded up to one that addSubsets knows:
//
//	for g := range groups {
//		for set := range 1 << size(g) {
//			for j := range 16 {
//				dst[(g<<5+set)*16+j] = Σ rows[(5*g+b)*16+j] over the bits b of set
//			}
//		}
//	}
func subsetSums(dst, rows []int32, groups int) int {
	groups = min(max(4, pad(groups-1, 3)+1), wordGroups)
	switch {
	case !vector:
		subsetSumsGo(dst, rows, groups)
	case vector512:
		_, _ = dst[groups*subsetTable-1], rows[64*tile-1]
		subsetSumsAVX512(&dst[0], &rows[0], groups)
	default:
		_, _ = dst[groups*subsetTable-1], rows[64*tile-1]
		subsetSumsAVX2(&dst[0], &rows[0], groups)
	}
	return groups
}

// subsetSumsGo tabulates the sums of all subsets of each group of five rows of sixteen numbers (the thirteenth group
// has four):
//
//	for g := range groups {
//		for set := range 1 << size(g) {
//			for j := range 16 {
//				dst[(g<<5+set)*16+j] = Σ rows[(5*g+b)*16+j] over the bits b of set
//			}
//		}
//	}
func subsetSumsGo(dst, rows []int32, groups int) {
	for g := range groups {
		table := dst[g*subsetTable:][:subsetTable]
		clear(table[:tile])
		for b := range groupSize(g) {
			row := rows[(groupBits*g+b)*tile:][:tile]
			for set := range 1 << b {
				from, to := table[set*tile:][:tile], table[(1<<b+set)*tile:][:tile]
				for j, x := range row {
					to[j] = from[j] + x
				}
			}
		}
	}
}

// addSubsets adds the tabulated sum of each of the first groups of bits of a word to what every chain starts from: its
// accumulators, or base if that is not nil. Words are stride apart:
//
//	for c := range chains {
//		if base != nil {
//			copy(acc[16*c:][:16], base)
//		}
//		for g := range groups {
//			set := words[c*stride] >> (5 * g) & 31
//			for j := range 16 {
//				acc[16*c+j] += tables[(g<<5+set)*16+j]
//			}
//		}
//	}
func addSubsets(acc, base, tables []int32, words []uint64, stride, chains, groups int) {
	if !vector {
		addSubsetsGo(acc, base, tables, words, stride, chains, groups)
		return
	}
	_, _, _ = acc[chains*tile-1], tables[groups*subsetTable-1], words[(chains-1)*stride]
	if base != nil {
		_ = base[tile-1]
	}
	const most = 4096 // chains per call; assembly cannot be preempted
	for first := 0; first < chains; first += most {
		n := min(most, chains-first)
		a, t, w, s := &acc[first*tile], &tables[0], &words[first*stride], 8*stride
		from, step := a, rowBytes
		if base != nil {
			from, step = &base[0], 0
		}
		switch {
		case vector512 && groups == 4:
			addSubsets4AVX512(a, from, step, t, w, s, n)
		case vector512 && groups == 7:
			addSubsets7AVX512(a, from, step, t, w, s, n)
		case vector512 && groups == 10:
			addSubsets10AVX512(a, from, step, t, w, s, n)
		case vector512:
			addSubsets13AVX512(a, from, step, t, w, s, n)
		case groups == 4:
			addSubsets4AVX2(a, from, step, t, w, s, n)
		case groups == 7:
			addSubsets7AVX2(a, from, step, t, w, s, n)
		case groups == 10:
			addSubsets10AVX2(a, from, step, t, w, s, n)
		default:
			addSubsets13AVX2(a, from, step, t, w, s, n)
		}
	}
}

// addSubsetsGo adds the tabulated sum of each of the first groups of bits of a word to what every chain starts from:
// its accumulators, or base if that is not nil. Words are stride apart:
//
//	for c := range chains {
//		if base != nil {
//			copy(acc[16*c:][:16], base)
//		}
//		for g := range groups {
//			set := words[c*stride] >> (5 * g) & 31
//			for j := range 16 {
//				acc[16*c+j] += tables[(g<<5+set)*16+j]
//			}
//		}
//	}
func addSubsetsGo(acc, base, tables []int32, words []uint64, stride, chains, groups int) {
	for c := range chains {
		to := line(acc, c*tile)
		if base != nil {
			copy(to[:], base)
		}
		word := words[c*stride]
		for g := range groups {
			set := int(word >> (groupBits * g) & (1<<groupBits - 1))
			addLine(to, line(tables, g*subsetTable+set*tile))
		}
	}
}
