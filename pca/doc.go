// Package pca finds the principal components of compactly stored configurations: of spins, of 0/1 pixels, of real
// units, and of sequences, whose Potts units are represented by the indicators of their states. The indicators are
// never written out.
//
// The components are the eigenvectors of the covariance matrix
//
//	C_ij = ⟨x_i x_j⟩ − ⟨x_i⟩⟨x_j⟩
//
// over the channels of the layer, with the largest eigenvalues first. Fit finds them, and Projections gives the
// coordinates of configurations along them:
//
//	p, err := pca.Fit(d.States, d.Weights, 2) // the two directions of largest variance
//	points, err := p.Projections(samples)     // (p_0, p_1) of every configuration
//
// Samples projected onto the components of the data show at a glance which modes a chain has visited.
package pca
