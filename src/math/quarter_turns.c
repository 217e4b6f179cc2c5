// SPDX-License-Identifier: Apache-2.0
// quarter_turns: an angle less the nearest multiple of pi/2.
#include "math/binary.h"
#include "math/tables.h"
#include "math/unrounded.h"

enum { LIMBS = 7, PRODUCT = LIMBS + 2 }; // of 32 bits: of 2/pi, and of its product with a mantissa

static int bit_of(const uint32_t product[PRODUCT], int bit)
{
    return bit < 32 * PRODUCT ? (int)(product[bit / 32] >> (bit % 32) & 1) : 0;
}

// The fraction below bit `point`, in quarter turns; minus what it lacks of 1 where it is above a
// half.
static cfpci_dd quarter_turns_fraction_of(const uint32_t product[PRODUCT], int point,
                                          bool above_half)
{
    cfpci_dd sum = {0, 0};
    for (int i = 0; i < PRODUCT && 32 * i < point; i++) {
        const int here = point - 32 * i; // bits of this limb that are below the point
        const uint32_t mask = here < 32 ? ((uint32_t)1 << here) - 1 : 0xffffffff;
        const uint32_t limb = (above_half ? ~product[i] : product[i]) & mask;
        sum = cfpci_dd_add((cfpci_dd){cfpci_scaled(limb, 32 * i - point), 0}, sum);
    }
    return above_half ? cfpci_dd_negative(sum) : sum;
}

// x = mantissa 2^exponent. Limbs of 2/pi whose product is a multiple of 4 quarter turns are left
// out; of the others the fraction has at least 191 bits, wrong by less than 2^53 units in the last:
// 2^-138. Of all doubles none is nearer to a multiple of pi/2 than 2^-62 (Muller 2018), so
// that the rest is right to 2^-75 of itself. The complement is taken by inverting each bit, which
// is less by one unit.
cfpci_angle cfpci_many_quarter_turns(double x)
{
    const uint64_t bits = cfpci_bits_of(x);
    const uint64_t mantissa = (bits & 0xfffffffffffff) | 0x10000000000000;
    const int exponent = cfpci_exponent(x) - 52;
    const int first = exponent > 30 ? (exponent - 2) / 32 : 0;
    const int point = 32 * (first + LIMBS) - exponent;
    // The product of the mantissa with the limbs of 2/pi from `first` on, the lowest limb first.
    const uint64_t half[2] = {mantissa & 0xffffffff, mantissa >> 32};
    uint32_t product[PRODUCT] = {0};
    for (int i = 0; i < LIMBS; i++) {
        const uint64_t limb = cfpci_two_per_pi[first + LIMBS - 1 - i];
        uint64_t carry = 0;
        for (int j = 0; j < 2; j++) {
            carry += product[i + j] + limb * half[j];
            product[i + j] = (uint32_t)carry;
            carry >>= 32;
        }
        product[i + 2] = (uint32_t)carry;
    }
    const bool above_half = bit_of(product, point - 1) != 0;
    const int quarter = bit_of(product, point) + 2 * bit_of(product, point + 1) + above_half;
    const cfpci_dd rest =
        cfpci_dd_multiply(quarter_turns_fraction_of(product, point, above_half), cfpci_half_pi);
    return x < 0 ? (cfpci_angle){cfpci_dd_negative(rest), -quarter & 3}
                 : (cfpci_angle){rest, quarter & 3};
}

bool cfpci_quarter_turns_quick(double x, cfpci_angle *angle)
{
    if (!(fabs(x) < CFPCI_FEW_TURNS))
        return false;
    const double n = cfpci_nearest(x * cfpci_half_pi_inverse);
    const double first = x - n * cfpci_half_pi_part[0];
    const cfpci_dd second = cfpci_dd_sum(first, -(n * cfpci_half_pi_part[1]));
    const double low = second.lo - n * cfpci_half_pi_part[2];
    *angle = (cfpci_angle){cfpci_dd_fast_sum(second.hi, low), (int)n & 3};
    return fabs(second.hi) > 0x1p-16;
}

// x - n pi/2 in four parts. The first three have 33 bits: their products with n < 2^20 are exact.
cfpci_angle cfpci_quarter_turns(double x)
{
    if (!(fabs(x) < CFPCI_FEW_TURNS))
        return cfpci_many_quarter_turns(x);
    const double n = cfpci_nearest(x * cfpci_half_pi_inverse);
    const cfpci_dd first = cfpci_dd_sum(x, -(n * cfpci_half_pi_part[0]));
    const cfpci_dd second = cfpci_dd_plus(first, -(n * cfpci_half_pi_part[1]));
    const cfpci_dd third = cfpci_dd_plus(second, -(n * cfpci_half_pi_part[2]));
    const cfpci_dd rest = cfpci_dd_plus(third, -(n * cfpci_half_pi_part[3]));
    return (cfpci_angle){rest, (int)n & 3};
}
