package lattice

import "math"

// order is the order of residues in the table below.
const order = "CMFILVWYAGTSNQDEHRKP"

// miyazawaJernigan holds the contact energies of Miyazawa and Jernigan (J. Mol. Biol. 256, 623, 1996, table 3, upper
// half) with opposite sign, in hundredths of kT.
var miyazawaJernigan = [Residues][]int{
	{544},                                                                           // C
	{499, 546},                                                                      // M
	{580, 656, 726},                                                                 // F
	{550, 602, 684, 654},                                                            // I
	{583, 641, 728, 704, 737},                                                       // L
	{496, 532, 629, 605, 648, 552},                                                  // V
	{495, 555, 616, 578, 614, 518, 506},                                             // W
	{416, 491, 566, 525, 567, 462, 466, 417},                                        // Y
	{357, 394, 481, 458, 491, 404, 382, 336, 272},                                   // A
	{316, 339, 413, 378, 416, 338, 342, 301, 231, 224},                              // G
	{311, 351, 428, 403, 434, 346, 322, 301, 232, 208, 212},                         // T
	{286, 303, 402, 352, 392, 305, 299, 278, 201, 182, 196, 167},                    // S
	{259, 295, 375, 324, 374, 283, 307, 276, 184, 174, 188, 158, 168},               // N
	{285, 330, 410, 367, 404, 307, 311, 297, 189, 166, 190, 149, 171, 154},          // Q
	{241, 257, 348, 317, 340, 248, 284, 276, 170, 159, 180, 163, 168, 146, 121},     // D
	{227, 289, 356, 327, 359, 267, 299, 279, 151, 122, 174, 148, 151, 142, 102, 91}, // E
	{360, 398, 477, 414, 454, 358, 398, 352, 241, 215, 242, 211, 208, 198, 232, 215, 305},               // H
	{257, 312, 398, 363, 403, 307, 341, 316, 183, 172, 190, 162, 164, 180, 229, 227, 216, 155},          // R
	{195, 248, 336, 301, 337, 249, 269, 260, 131, 115, 131, 105, 121, 129, 168, 180, 135, 59, 12},       // K
	{307, 345, 425, 376, 420, 332, 373, 319, 203, 187, 190, 157, 153, 173, 133, 126, 225, 170, 97, 175}, // P
}

// contactEnergy[a][b] is E_MJ of the residues a and b of Alphabet, in hundredths of kT, and boltzmann[a][b] is
// e^{−E_MJ}.
var contactEnergy, boltzmann = func() (e [Residues][Residues]int, w [Residues][Residues]float64) {
	for i, row := range miyazawaJernigan {
		for j, x := range row {
			a, b := residueOf(order[i]), residueOf(order[j])
			e[a][b], e[b][a] = -x, -x
			w[a][b], w[b][a] = math.Exp(float64(x)/100), math.Exp(float64(x)/100)
		}
	}
	return e, w
}()

// ContactEnergy is E_MJ of two residues, given by their indices in Alphabet, in units of kT.
func ContactEnergy(a, b uint8) float64 { return float64(contactEnergy[a][b]) / 100 }

// Energy is E(v,S) in units of kT. The sum is computed in integer hundredths, so it is rounded only once.
func Energy(v Sequence, s Structure) float64 {
	hundredths := 0
	for _, c := range s.Contacts() {
		hundredths += contactEnergy[v[c.I]][v[c.J]]
	}
	return float64(hundredths) / 100
}
