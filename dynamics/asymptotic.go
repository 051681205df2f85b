package dynamics

import (
	"fmt"
	"math"

	"instanton/theory"
)

// AsymptoticLogTime is the logarithm of the relaxation time of N Curie–Weiss spins to leading order in N, prefactor
// included, for Gibbs, Metropolis and Glauber. With κ = 1 − W²(1−m*²),
//
//	τ_AGS → √(2π(W²−1)/κ) / K(W²) · e^{NΔf}  steps,
//	τ_MH  → N (π/2) / √((W²−1)κ)  · e^{NΔf}  attempted flips,
//
// and twice as many of Glauber's. The second is the diffusion over the barrier, where Metropolis accepts every flip and
// Glauber half of them. AGS does not diffuse: near the saddle the hidden value is multiplied by
// W² and gets a kick as large as the region it has to cross, so that the crossing is an integral over single steps
// ([BarrierIntegral]).
func AsymptoticLogTime(c theory.CurieWeiss, n int, kernel Kernel) (float64, error) {
	m, err := c.Magnetization()
	if err != nil {
		return 0, err
	}
	barrier, _ := c.Barrier()
	b := c.W * c.W
	kappa := 1 - b*(1-m*m)
	rise := float64(n) * barrier
	switch kernel {
	case Gibbs:
		return rise + math.Log(2*math.Pi*(b-1)/kappa)/2 - math.Log(BarrierIntegral(b)), nil
	case Metropolis:
		return rise + math.Log(float64(n)*math.Pi/2) - math.Log((b-1)*kappa)/2, nil
	case Glauber:
		return rise + math.Log(float64(n)*math.Pi) - math.Log((b-1)*kappa)/2, nil
	}
	return 0, fmt.Errorf("no asymptotic time is known for the sampler %v: use gibbs, metropolis or glauber", kernel)
}

// BarrierIntegral is K(a) = ∫du e^{u²/2} ∫dv N(v; a u, a²−1) (Φ(v) − Φ(u))² for a > 1, Φ the normal distribution
// function: the mean square change of the probability of ending on the other side, over a step at the saddle.
func BarrierIntegral(a float64) float64 {
	// Both integrands are analytic and fall off like Gaussians: the trapezoidal rule converges faster than any power of
	// the step.
	const step, wide = 0.05, 9.0
	sigma := math.Sqrt(a*a - 1)
	reach := wide * math.Max(1, sigma)
	du := step * math.Min(1, math.Max(sigma, 0.2))
	sum := 0.0
	for u := -reach; u <= reach; u += du {
		inner := 0.0
		for z := -wide; z <= wide; z += step {
			d := normalDifference(a*u+sigma*z, u)
			inner += math.Exp((u*u-z*z)/2) * d * d
		}
		sum += inner
	}
	return sum * du * step / math.Sqrt(2*math.Pi)
}

// normalDifference is Φ(v) − Φ(u), accurate in both tails.
func normalDifference(v, u float64) float64 {
	if u > 0 && v > 0 {
		return (math.Erfc(u/math.Sqrt2) - math.Erfc(v/math.Sqrt2)) / 2
	}
	return (math.Erfc(-v/math.Sqrt2) - math.Erfc(-u/math.Sqrt2)) / 2
}
