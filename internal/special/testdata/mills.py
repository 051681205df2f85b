"""Makes the numbers of this package with mpmath, in at least 50-digit arithmetic.

    python3 mills.py coefficients    the table laplaceCoef of mills.go
    python3 mills.py reference       the tables of reference_test.go

The coefficients interpolate e(a) = 1/d - a, d = 1/R(a) - a, R Mills' ratio, by
P(x)/Q(x), x = a + SHIFT, deg P = N - 1, deg Q = N, at the 2N Chebyshev nodes of
t = (x - SCALE)/(x + SCALE).
"""
import sys
import textwrap
from mpmath import mp, mpf, matrix, lu_solve, polyval, erfc, exp, log, sqrt, pi, cos

mp.dps = 100
N, SHIFT, SCALE = 12, mpf(1) / 4, mpf(4)


def mills(a):
    return sqrt(pi / 2) * exp(a * a / 2) * erfc(a / sqrt(mpf(2)))


def e(a):
    return 1 / (1 / mills(a) - a) - a


def times(p, q):
    r = [mpf(0)] * (len(p) + len(q) - 1)
    for i, u in enumerate(p):
        for j, v in enumerate(q):
            r[i + j] += u * v
    return r


def powers(c, degree):
    """(x + SCALE)^degree * sum_k c_k t^k as a polynomial in x, lowest power first."""
    r = [mpf(0)] * (degree + 1)
    for k, ck in enumerate(c):
        term = [ck]
        for i in range(degree):
            term = times(term, [-SCALE if i < k else SCALE, mpf(1)])
        r = [u + v for u, v in zip(r, term)]
    return r


def coefficients():
    A, b = matrix(2 * N, 2 * N), matrix(2 * N, 1)
    for i in range(2 * N):
        t = cos(pi * (2 * i + 1) / (4 * N))
        x = SCALE * (1 + t) / (1 - t)
        f = (x + SCALE) * e(x - SHIFT)  # = p(t)/q(t) with q(0) = 1
        for j in range(N):
            A[i, j] = t**j
            A[i, N + j] = -f * t ** (j + 1)
        b[i] = f
    s = list(lu_solve(A, b))
    P, Q = powers(s[:N], N - 1), powers([mpf(1)] + s[N:], N)
    P, Q = [c / Q[-1] for c in P], [c / Q[-1] for c in Q]
    worst = 0
    for i in range(500):
        t = cos(pi * (i + mpf(1) / 3) / 500)
        x = SCALE * (1 + t) / (1 - t)
        r = polyval(P[::-1], x) / polyval(Q[::-1], x)
        worst = max(worst, abs(r / e(x - SHIFT) - 1))
    for p, q in zip(P, Q):
        print("\t{%r, %r}," % (float(p), float(q)))
    print("// largest relative error before rounding", mp.nstr(worst, 2))
    root = mp.findroot(lambda a: log(mills(a)), mpf("0.3"))
    print("// R = 1 at %r + %r" % (float(root), float(root - mpf(float(root)))))


def tail(x):
    return erfc(x / sqrt(mpf(2))) / 2


def tail_inverse(q, x):
    """The x with Q(x) = q, by Newton's method on the concave log Q."""
    for _ in range(200):
        step = log(tail(x) / q) * mills(x)
        x += step
        if abs(step) < mpf(10) ** -75:
            return x
    raise ArithmeticError("no convergence")


def half_quantile(a, u):
    q = u * tail(a)
    if a > 0:
        return tail_inverse(q, a) - a
    if q < 0.5:
        return tail_inverse(q, mpf(0)) - a
    return -tail_inverse(tail(-a) + (1 - u) * tail(a), mpf(0)) - a


QUANTILES = [2.0**-53, 1e-9, 0.1, 0.5, 0.9, 1 - 2.0**-20, 1 - 2.0**-40, 1 - 2.0**-53]
HALVES = [0.0, 0.1, 1.0, 3.0, 5.0, 10.0, 30.0, 100.0, 1e3, 1e4]
# Close to the joins of the branches and to the root of log R.
NEAR = [-9.0, -1.5, -0.25 - 2.0**-30, -0.25, 0.052, 0.3, 0.3027, 0.553]


def wrapped(head, xs, tail, tabs=0):
    """Prints a list of numbers in lines that end by column 120, with tabs of 4."""
    text = head + ", ".join(repr(float(x)) for x in xs) + tail
    lines = textwrap.wrap(text, 120, initial_indent=" " * 4 * tabs, subsequent_indent=" " * 4 * (tabs + 1))
    print("\n".join(lines).replace("    ", "\t"))


def row(*xs):
    wrapped("{", xs, "},", tabs=1)


def reference():
    print("package special\n")
    print("// Reference values from 50-digit arithmetic (testdata/mills.py).\n")
    print("// refLevels are the levels u of the quantiles in refHalf and refNorm.")
    wrapped("var refLevels = [...]float64{", QUANTILES, "}")
    print()
    print("// refHalf rows are a, LogMills, HalfMean, HalfVar, HalfSecond, then HalfQuantile")
    print("// at each of refLevels.")
    print("var refHalf = [...][5 + len(refLevels)]float64{")
    for a in sorted(set([-v for v in HALVES] + HALVES + NEAR)):
        a = mpf(a) + 0
        lam = 1 / mills(a)
        d = lam - a
        row(a, log(mills(a)), d, 1 - lam * d, 1 - a * d,
            *[half_quantile(a, mpf(u)) for u in QUANTILES])
    print("}\n")
    print("// refNorm is NormQuantile at each of refLevels.")
    zs = [tail_inverse(mpf(u), mpf(0)) * -1 if u <= 0.5 else tail_inverse(1 - mpf(u), mpf(0))
          for u in QUANTILES]
    wrapped("var refNorm = [...]float64{", zs, "}")
    print()
    print("// refLogExp rows are x, Log2Cosh(x), Softplus(x), Sigmoid(x).")
    print("var refLogExp = [...][4]float64{")
    for x in [-700.0, -30.0, -2.0, -1e-3, 0.0, 0.5, 3.0, 40.0, 700.0]:
        x = mpf(x)
        row(x, log(exp(x) + exp(-x)), mp.log1p(exp(x)), 1 / (1 + exp(-x)))
    print("}\n")
    print("// refErfcx rows are x, Erfcx(x).")
    print("var refErfcx = [...][2]float64{")
    for x in [-26.0, -25.9, -24.7, -20.3, -7.0, -2.0, -0.7, -1e-3, 0.0, 1e-9, 0.3, 1.0, 2.5, 6.0, 27.0, 1e3, 1e8, 1e150, 1e300]:
        v = exp(mpf(x) ** 2) * erfc(mpf(x)) if x < 1e6 else (1 - 1 / (2 * mpf(x) ** 2)) / (mpf(x) * sqrt(pi))
        row(x, v)
    print("}")


if __name__ == "__main__":
    {"coefficients": coefficients, "reference": reference}[sys.argv[1]]()
