// Package lattice models lattice proteins: chains of 27 amino acids folded into the 3×3×3 cube (Shakhnovich and Gutin
// 1990; Jacquin et al., PLoS Comput. Biol. 12, e1004889, 2016).
//
// A [Structure] is a self-avoiding walk through all sites of the cube, up to the symmetries of the cube. A [Sequence]
// v in structure S has the energy
//
//	E(v,S) = Σ_{i<j} c_ij(S) E_MJ(v_i,v_j)
//
// where c_ij is one if residues i and j touch without being bonded, otherwise zero, and E_MJ are the contact energies
// of Miyazawa and Jernigan (1996) in units of kT. The probability that v folds into S is
//
//	P_nat(S|v) = e^{−E(v,S)} / Σ_{S'} e^{−E(v,S')}
//
// where the sum is over [Competitors]: all structures or some of them. The sequences that fold into S form its family.
//
// Start with [Enumerate], which lists all structures, and choose the competitors by [Space.All] or [ParseChoice].
// [Competitors.Pnat] gives the probability of folding, and [Competitors.Best] the most likely structures. [Design]
// samples sequences from P_nat(S|v)^β; its method Family collects a data set.
package lattice
