// Package rbm is the Restricted Boltzmann Machine: two layers of units, the weights between them, and the mathematics
// of one configuration at a time.
//
// # The model
//
// The energy is E(v,h) = −Σ W_iμ v_i h_μ + Σ V_i(v_i) + Σ U_μ(h_μ). [New] makes a model of two layers with zero
// weights; a [Layer] holds the potentials of its units, and Row the weights of a visible unit:
//
//	m, err := rbm.New(unit.Spec{Type: unit.Spin, N: 16}, unit.Spec{Type: unit.Gaussian, N: 2})
//	m.Row(0)[1] = 0.5                           // between visible unit 0 and hidden unit 1
//	m.Visible.(*rbm.Spin).Fields[3] = -0.2      // V(x) = −g x
//
// [Random], [CurieWeiss], [Hopfield] and [Structured] build models that are already filled in.
//
// # One configuration
//
// A configuration is a slice with one number per unit. A Potts unit receives one input for each of its q states, so
// inputs, means and rows of W count channels: q for a Potts unit, one for any other.
//
// Inputs computes I_μ(v) = Σ_i W_iμ v_i. Given its input, a hidden unit is independent of the others and has the law
// e^{−U(h)+hI−Γ(I)}, where Γ is the cumulant generating function of its potential; CGF, Mean and Variance of the layer
// are Γ, Γ′ and Γ″. Summing over h leaves P(v) = e^{−E_eff(v)}/Z with E_eff(v) = Σ V_i(v_i) − Σ Γ_μ(I_μ(v)), the
// EffectiveEnergy. Transpose exchanges the layers, so what holds for v holds for h.
//
// # Exact answers
//
// [LogZ], [ExactMoments] and [NewDistribution] enumerate the configurations of a discrete layer if there are few
// enough; the other layer is summed analytically.
//
// # The same law with other parameters
//
// ZeroSum, Scale, Shift, Flip, Permute and Rotate change the parameters and leave P(v) as it is (gauges). Copies and
// Scaled change the temperature.
//
// # Files
//
// Save and [Load] keep a model in a .npz archive that numpy.load opens; see docs/formats.md.
//
// Everything here is float64. Batches of configurations are [unit.States]: package batch prepares a model for them,
// package sampler draws them.
package rbm
